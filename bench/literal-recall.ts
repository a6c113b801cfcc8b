import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { extractKeywords } from '../graphs/answer/understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../graphs/answer/understanding/value-matches.ts'
import { type QuestionLine, readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { percentile } from '../src/evaluation/statistics.ts'
import { goldLiterals } from './literal-recall/gold-literals.ts'
import { kindOfMiss } from './literal-recall/kind-of-miss.ts'
import { knownAnswers } from './literal-recall/known-answers.ts'

/**
 * `npm run bench:literals -- --questions FILE --databases DIR`: of the text literals of known answers that the
 * database holds, the share among the best five values of their column, from the question alone and without a model.
 * What counts, and what it measured: docs/benchmarks.md.
 */

interface Miss {
  readonly id: string
  readonly question: string
  readonly literal: string
  readonly column: string
  readonly kind: string
}

interface Measured {
  readonly file: string
  readonly questions: number
  literals: number
  found: number
  /** The same for literals of columns that are declared as text. */
  textLiterals: number
  textFound: number
  absent: number
  letters: number
  readonly keywords: number[]
  readonly matches: number[]
  readonly milliseconds: number[]
  readonly misses: Miss[]
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      questions: { type: 'string', multiple: true, default: [] },
      databases: { type: 'string', default: '' },
      misses: { type: 'boolean', default: false },
      cache: { type: 'string', default: join(import.meta.dirname, 'results/literal-recall-index') },
    },
  })
  const measured: Measured[] = []
  for (const file of values.questions) {
    const lines = selectUsable(await readQuestionsFile(resolve(file)))
    measured.push(await measure(basename(file), lines, { databases: values.databases, cache: values.cache }))
  }
  if (values.misses) for (const one of measured) showMisses(one)
  show(measured)
  const at = new Date().toISOString()
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `literal-recall-${at.replaceAll(':', '-')}.json`),
    `${JSON.stringify({ at, measured: measured.map(summarise) }, null, 2)}\n`,
  )
}

const measure = async (
  file: string,
  lines: readonly QuestionLine[],
  { databases, cache }: { readonly databases: string; readonly cache: string },
): Promise<Measured> => {
  const measured: Measured = {
    file,
    questions: lines.length,
    literals: 0,
    found: 0,
    textLiterals: 0,
    textFound: 0,
    absent: 0,
    letters: 0,
    keywords: [],
    matches: [],
    milliseconds: [],
    misses: [],
  }
  for await (const { line, gold, database, rows } of knownAnswers(lines, { databases, cache })) {
    const { literals, absent, letters } = goldLiterals(gold, database.catalog, rows)
    measured.absent += absent
    measured.letters += letters
    const started = performance.now()
    const keywords = extractKeywords(line.question)
    const more = flagMatches(line.question, database.catalog)
    const matches = await matchKeywords(keywords, database, { more })
    measured.milliseconds.push(performance.now() - started)
    measured.keywords.push(keywords.length)
    measured.matches.push(matches.length)
    for (const literal of literals) {
      const isFound = matches.some(
        ({ table, column, value }) =>
          table === literal.table && column === literal.column && literal.values.has(value),
      )
      measured.literals += 1
      if (literal.isText) measured.textLiterals += 1
      if (isFound) measured.found += 1
      if (isFound && literal.isText) measured.textFound += 1
      if (isFound) continue
      measured.misses.push({
        id: line.id,
        question: line.question,
        literal: literal.text,
        column: `${line.db_id}.${literal.table}.${literal.column}`,
        kind: kindOfMiss(line.question, literal, database.findValues),
      })
    }
  }
  return measured
}

const summarise = ({ keywords, matches, milliseconds, ...rest }: Measured) => ({
  ...rest,
  recall: rest.found / rest.literals,
  textRecall: rest.textFound / rest.textLiterals,
  keywords: percentile(keywords, 0.5),
  matches: matches.reduce((sum, count) => sum + count, 0) / matches.length,
  p50: percentile(milliseconds, 0.5),
  p95: percentile(milliseconds, 0.95),
  byKind: Object.fromEntries(
    [...Map.groupBy(rest.misses, miss => miss.kind)].map(([kind, misses]) => [kind, misses.length]),
  ),
})

const share = (part: number, whole: number): string =>
  `${part}/${whole} ${((100 * part) / whole).toFixed(1)} %`

const show = (measured: readonly Measured[]): void => {
  const table = new Table({
    head: ['questions', 'n', 'text columns', 'all columns', 'keywords', 'matches', 'p50 ms', 'p95 ms'],
  })
  for (const one of measured.map(summarise)) {
    table.push([
      one.file,
      one.questions,
      share(one.textFound, one.textLiterals),
      share(one.found, one.literals),
      one.keywords,
      one.matches.toFixed(1),
      one.p50?.toFixed(1) ?? '',
      one.p95?.toFixed(1) ?? '',
    ])
  }
  console.log(table.toString())
  for (const one of measured.map(summarise)) console.log(one.file, 'misses by kind:', one.byKind)
}

const showMisses = ({ misses }: Measured): void => {
  for (const { id, kind, literal, column, question } of misses)
    console.log(`${kind} | ${literal} | ${column} | ${id} | ${question}`)
}

await main()
