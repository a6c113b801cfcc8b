import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import fc from 'fast-check'
import { makeGuard } from '../src/databases/guard/guard.ts'
import type { ParseDialect } from '../src/domain/sql.ts'
import { percentile } from '../src/evaluation/statistics.ts'
import { dialectNames } from '../src/sql/dialects.ts'
import { harmless, hostile } from '../test/databases/guard/fuzz/fuzz-corpus.ts'
import { injectedWrite } from '../test/databases/guard/fuzz/inject-write.ts'
import { mutatedStatement, tokenSoup } from '../test/databases/guard/fuzz/mutate-statement.ts'
import { longStatement } from './guard/long-statement.ts'

/**
 * `npm run bench:guard [-- --repeat N --fuzz N]`: how long the guard takes for a verdict, by dialect and by length, on
 * the corpora and on what the fuzzing makes of them. What it measured: docs/benchmarks.md.
 */

interface Row {
  readonly dialect: ParseDialect
  readonly statements: string
  readonly n: number
  /** Of all verdicts. */
  readonly allowed: number
  readonly characters: number
  /** Microseconds of processor time a statement, on average: what other work on the machine changes least. */
  readonly processor: number
  /** Microseconds by the clock a statement. */
  readonly p50: number
  readonly p95: number
  readonly max: number
}

const guard = makeGuard()

const measure = (dialect: ParseDialect, statements: string, texts: readonly string[]): Row => {
  const microseconds: number[] = []
  const before = process.cpuUsage()
  let allowed = 0
  let characters = 0
  for (const sql of texts) {
    const started = performance.now()
    const { verdict } = guard(sql, dialect)
    microseconds.push((performance.now() - started) * 1000)
    characters += sql.length
    if (verdict === 'allow') allowed += 1
  }
  const used = process.cpuUsage(before)
  const at = (share: number): number => Math.round(percentile(microseconds, share) ?? 0)
  return {
    dialect,
    statements,
    n: texts.length,
    allowed,
    characters: Math.round(characters / texts.length),
    processor: Math.round((used.user + used.system) / texts.length),
    p50: at(0.5),
    p95: at(0.95),
    max: at(1),
  }
}

const { values } = parseArgs({
  options: { repeat: { type: 'string', default: '20' }, fuzz: { type: 'string', default: '4000' } },
})

const repeat = Number(values.repeat)

const fuzzed = fc.sample(fc.oneof(tokenSoup, mutatedStatement, injectedWrite), {
  seed: 20261121,
  numRuns: Number(values.fuzz),
})

const lengths = [100, 1000, 5000, 20_000]

const times = (texts: readonly string[], count: number): string[] =>
  Array.from({ length: count }, () => texts).flat()

const rows: Row[] = []

for (const dialect of dialectNames) {
  const inDialect = (list: readonly { dialect: ParseDialect; sql: string }[]): string[] =>
    list.filter(one => one.dialect === dialect).map(one => one.sql)
  // The first verdicts load the parsers.
  measure(dialect, 'warm-up', times(inDialect(harmless), 10))
  rows.push(measure(dialect, 'harmless corpus', times(inDialect(harmless), repeat)))
  rows.push(measure(dialect, 'hostile corpus', times(inDialect(hostile), repeat)))
  rows.push(measure(dialect, 'fuzzed', inDialect(fuzzed)))
  for (const length of lengths)
    rows.push(
      measure(
        dialect,
        `${length.toLocaleString('en')} characters`,
        times([longStatement(length - 200)], repeat),
      ),
    )
}

const table = new Table({
  head: ['dialect', 'statements', 'n', 'allowed', 'characters', 'processor µs', 'p50 µs', 'p95 µs', 'max µs'],
})

for (const { dialect, statements, n, allowed, characters, processor, p50, p95, max } of rows)
  table.push([dialect, statements, n, allowed, characters, processor, p50, p95, max])

console.log(table.toString())

const at = new Date().toISOString()

const folder = join(import.meta.dirname, 'results')

mkdirSync(folder, { recursive: true })

writeFileSync(
  join(folder, `guard-${at.replaceAll(':', '-')}.json`),
  `${JSON.stringify({ at, node: process.version, rows }, null, 2)}\n`,
)
