import { parseArgs } from 'node:util'
import {
  type ImportFormat,
  importFormats,
  importLayer,
  readSourceFiles,
} from '../src/semantic-layer/import/import-layer.ts'

/**
 * Measures how much of a project in another tool's format is translated:
 *
 *   node bench/semantic-import.ts FORMAT FILE-OR-FOLDER... [--list]
 *
 * Each file or folder is a project of its own. `--list` prints what was skipped, and why.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
})
const [format, ...paths] = positionals
if (!importFormats.includes(format as ImportFormat) || paths.length === 0) {
  console.error(`Usage: node bench/semantic-import.ts ${importFormats.join('|')} FILE-OR-FOLDER... [--list]`)
  process.exit(2)
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`

let [translated, skipped, ofQueries] = [0, 0, 0]
const reasons = new Map<string, number>()
const kinds = new Map<string, { translated: number; skipped: number }>()
for (const path of paths) {
  try {
    const files = await readSourceFiles(format as ImportFormat, [path])
    const imported = importLayer(format as ImportFormat, files)
    const { layer } = imported
    translated += imported.translated.length
    skipped += imported.skipped.length
    for (const { why } of imported.skipped) {
      // Items of a model that has no table, and those that use them.
      if (/rows come from a|was (skipped|not translated)/.test(why)) ofQueries++
      const reason = why.split(/[.:;(]/)[0] ?? why
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    for (const [key, items] of [
      ['translated', imported.translated],
      ['skipped', imported.skipped],
    ] as const)
      for (const { kind } of items) {
        const count = kinds.get(kind) ?? { translated: 0, skipped: 0 }
        kinds.set(kind, { ...count, [key]: count[key] + 1 })
      }
    const all = imported.translated.length + imported.skipped.length
    console.log(
      `${path}: ${imported.translated.length} of ${all} (${share(imported.translated.length, all)}); ` +
        `${layer.models.length} models, ${layer.metrics.length} metrics, ${layer.segments.length} segments`,
    )
    if (values.list)
      for (const { kind, name, why } of imported.skipped) console.log(`  ${kind} ${name}: ${why}`)
  } catch (error) {
    console.log(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
console.log(`\nAll: ${translated} of ${translated + skipped} (${share(translated, translated + skipped)})`)
console.log(
  `Without models that come from queries, and what uses them: ${translated} of ${translated + skipped - ofQueries} ` +
    `(${share(translated, translated + skipped - ofQueries)})`,
)
for (const [kind, count] of [...kinds].toSorted((a, b) => a[0].localeCompare(b[0])))
  console.log(
    `  ${kind}: ${count.translated} of ${count.translated + count.skipped} (${share(count.translated, count.translated + count.skipped)})`,
  )
if (reasons.size > 0) console.log('\nSkipped because:')
for (const [reason, count] of [...reasons].toSorted((a, b) => b[1] - a[1]).slice(0, 25))
  console.log(`  ${count} ${reason}`)
