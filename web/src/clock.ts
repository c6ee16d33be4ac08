// Two clocks. The one of the side to move runs.
import type { Color } from 'chessops/types';

export class Clock {
  private left: Record<Color, number>;
  private running?: Color;
  private since = 0;
  private timer?: number;
  onTick: () => void = () => {};
  onFlag: (color: Color) => void = () => {};

  constructor(left: Record<Color, number>, readonly incrementMs: number) {
    this.left = left;
  }

  remaining(color: Color): number {
    const spent = this.running === color ? performance.now() - this.since : 0;
    return Math.max(0, this.left[color] - spent);
  }

  /** Lets the clock of a side run, and stops the other. */
  run(color: Color | undefined) {
    if (this.running) this.left[this.running] = this.remaining(this.running);
    this.running = color;
    this.since = performance.now();
    clearInterval(this.timer);
    if (color) this.timer = window.setInterval(() => this.look(), 100);
    this.onTick();
  }

  /** A side has moved. */
  press(color: Color) {
    // The first move of the game costs nothing and brings nothing.
    if (this.running !== color) return;
    this.run(undefined);
    this.left[color] += this.incrementMs;
    this.onTick();
  }

  private look() {
    this.onTick();
    const color = this.running;
    if (color && this.remaining(color) === 0) {
      this.run(undefined);
      this.onFlag(color);
    }
  }
}

export function clockText(ms: number): string {
  const tenths = Math.ceil(ms / 100), seconds = Math.ceil(ms / 1000);
  if (ms < 10_000) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`.replace('0:010.0', '0:10.0');
  const pad = (number: number) => `${number}`.padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
