// The 960 starting positions by their numbers (Scharnagl's), 518 being the usual one.

export function chess960(number: number): string {
  const files: string[] = Array(8).fill('');
  let rest = number;
  const take = (base: number) => { const digit = rest % base; rest = Math.floor(rest / base); return digit; };
  const free = () => files.flatMap((man, file) => man ? [] : [file]);
  files[take(4) * 2 + 1] = 'b';
  files[take(4) * 2] = 'b';
  files[free()[take(6)]] = 'q';
  const knights = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]][rest];
  const places = free();
  for (const place of knights) files[places[place]] = 'n';
  free().forEach((file, index) => { files[file] = 'rkr'[index]; });
  const row = files.join('');
  return `${row}/pppppppp/8/8/8/8/PPPPPPPP/${row.toUpperCase()} w KQkq - 0 1`;
}
