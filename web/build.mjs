// Builds dist/ from src/: the same sources give the same bytes. `--check` compares instead of writing.
import { build } from 'esbuild';
import { readFileSync, writeFileSync, mkdirSync, existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LARGEST_KB = 300;
const here = new URL('.', import.meta.url);
const result = await build({
  absWorkingDir: new URL('.', here).pathname,
  entryPoints: { app: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  loader: { '.svg': 'dataurl' },
  write: false,
});
const files = new Map(result.outputFiles.map(file => [file.path.split('/').pop(), Buffer.from(file.contents)]));
const check = process.argv.includes('--check');
const stale = [];
// What needs no building is served as it stands in src/.
const plain = ['index.html', 'icon.svg'].map(name => readFileSync(new URL(`src/${name}`, here)));
let compressed = plain.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
mkdirSync(new URL('dist', here), { recursive: true });
for (const [name, content] of files) {
  const path = new URL(`dist/${name}`, here);
  compressed += gzipSync(content, { level: 9 }).length;
  if (!check) writeFileSync(path, content);
  else if (!existsSync(path) || !readFileSync(path).equals(content)) stale.push(name);
}
console.log(`the page: ${Math.ceil(compressed / 1024)} KB compressed`);
if (compressed > LARGEST_KB * 1024) {
  console.error(`web: the page is larger than ${LARGEST_KB} KB`);
  process.exit(1);
}
if (stale.length) {
  console.error(`web: dist does not match src (${stale.join(', ')}): run \`cargo xtask web\``);
  process.exit(1);
}
