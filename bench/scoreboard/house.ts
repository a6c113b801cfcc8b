import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `house.ts`: how the code is cut, over `src` and `graphs`: files, lines, mean lines a file, and imports per 100 lines. Many
 * small files with many imports each are hard to read.
 */
const root = join(import.meta.dirname, '../..')

const texts = globSync(['src/**/*.ts', 'graphs/**/*.ts'], { cwd: root }).map(path =>
  readFileSync(join(root, path), 'utf8'),
)
const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0)
const imports = texts.reduce((sum, text) => sum + (text.match(/^import\b/gm)?.length ?? 0), 0)
const rounded = (value: number): number => Math.round(value * 100) / 100

console.log(
  JSON.stringify({
    files: texts.length,
    lines,
    meanLines: rounded(lines / texts.length),
    importsPer100: rounded((100 * imports) / lines),
  }),
)
