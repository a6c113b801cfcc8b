import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { mostTelling } from '../graphs/answer/drafting/value-hints.ts'
import { chooseHints, type ValueHint } from '../graphs/answer/understanding/choose-hints.ts'
import { extractKeywords } from '../graphs/answer/understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../graphs/answer/understanding/value-matches.ts'
import type { Catalog } from '../src/domain/catalog.ts'
import type { ValueMatch } from '../src/domain/question-context.ts'
import { type QuestionLine, readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { foldText } from '../src/lib/fold-text.ts'
import { isPersonalColumn } from '../src/lib/personal-columns.ts'
import { sqlLiterals } from '../src/sql/analyze/sql-scopes.ts'
import { type GoldLiteral, goldLiterals } from './literal-recall/gold-literals.ts'
import { knownAnswers } from './literal-recall/known-answers.ts'

/**
 * `npm run bench:hints -- --questions FILE --databases DIR`: how many of the values that a model is told are in the known
 * answer (precision), and how many of the known answers' text literals a model is told in their column (recall). `all`
 * tells every match, `chosen` what prompts tell. `--databases-of 1` or `2` takes every other database, in the order of
 * their names; `--list` prints the hints that are wrong and the literals that only `all` has; `--json` is for the
 * scoreboard. What counts, and what it measured: docs/benchmarks.md.
 */
interface Counts {
  hints: number
  right: number
  /** Literals that stand for one value, and how many of them are told. */
  literals: number
  told: number
  /** The same for pieces of values (`LIKE '%x%'`), outside personal columns and in them. */
  pieces: number
  piecesTold: number
  personalPieces: number
  personalPiecesTold: number
}

interface Measured {
  readonly file: string
  readonly questions: number
  readonly all: Counts
  readonly chosen: Counts
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      questions: { type: 'string', multiple: true, default: [] },
      databases: { type: 'string', default: '' },
      'databases-of': { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      cache: { type: 'string', default: join(import.meta.dirname, 'results/literal-recall-index') },
    },
  })
  const measured: Measured[] = []
  for (const file of values.questions) {
    const lines = halfOf(selectUsable(await readQuestionsFile(resolve(file))), values['databases-of'])
    measured.push(await measure(basename(file), lines, values))
  }
  if (values.json) console.log(JSON.stringify(measured.map(summarize)[0]))
  else show(measured)
}

const halfOf = (lines: readonly QuestionLine[], half: string | undefined): readonly QuestionLine[] => {
  if (half === undefined) return lines
  const ids = [...new Set(lines.map(line => line.db_id))].sort()
  const kept = new Set(ids.filter((_, at) => at % 2 === Number(half) - 1))
  return lines.filter(line => kept.has(line.db_id))
}

const noCounts = (): Counts => ({
  ...{ hints: 0, right: 0, literals: 0, told: 0 },
  ...{ pieces: 0, piecesTold: 0, personalPieces: 0, personalPiecesTold: 0 },
})

const measure = async (
  file: string,
  lines: readonly QuestionLine[],
  { databases, cache, list }: { readonly databases: string; readonly cache: string; readonly list: boolean },
): Promise<Measured> => {
  const measured = { file, questions: lines.length, all: noCounts(), chosen: noCounts() }
  for await (const { line, gold, database, rows } of knownAnswers(lines, { databases, cache })) {
    const { catalog } = database
    const { question } = line
    const { literals } = goldLiterals(gold, catalog, rows)
    const said = new Set((sqlLiterals(gold, 'sqlite') ?? []).map(({ value }) => plain(value)))
    const matches = await matchKeywords(extractKeywords(question), database, {
      more: flagMatches(question, catalog),
    })
    const all = mostTelling(tellAll(matches))
    const chosen = mostTelling(chooseHints(matches, { question, catalog }))
    count(measured.all, all, { said, literals, catalog })
    count(measured.chosen, chosen, { said, literals, catalog })
    if (!list) continue
    for (const hint of chosen)
      if (!isRight(hint, said, literals))
        console.log(`wrong | ${hint.kind} ${hint.score.toFixed(2)} | ${textOf(hint)} | ${question}`)
    for (const literal of literals)
      if (all.some(hint => tells(hint, literal)) && !chosen.some(hint => tells(hint, literal)))
        console.log(`lost | ${literal.table}.${literal.column} = ${literal.text} | ${question}`)
  }
  return measured
}

/** Every match as if it were a good one, best first. */
const tellAll = (matches: readonly ValueMatch[]): readonly ValueHint[] =>
  [...matches].sort((a, b) => b.score - a.score).map(match => ({ ...match, kind: 'exact' }))

const count = (
  counts: Counts,
  hints: readonly ValueHint[],
  {
    said,
    literals,
    catalog,
  }: {
    readonly said: ReadonlySet<string>
    readonly literals: readonly GoldLiteral[]
    readonly catalog: Catalog
  },
): void => {
  counts.hints += hints.length
  counts.right += hints.filter(hint => isRight(hint, said, literals)).length
  for (const literal of literals) {
    const told = hints.some(hint => tells(hint, literal)) ? 1 : 0
    if (!literal.text.includes('%')) {
      counts.literals += 1
      counts.told += told
    } else if (isInPersonal(literal, catalog)) {
      counts.personalPieces += 1
      counts.personalPiecesTold += told
    } else {
      counts.pieces += 1
      counts.piecesTold += told
    }
  }
}

const isInPersonal = ({ table, column }: GoldLiteral, { tables }: Catalog): boolean => {
  const owner = tables.find(({ name }) => name === table)
  const found = owner?.columns.find(({ name }) => name === column)
  return owner !== undefined && found !== undefined && isPersonalColumn(found, owner)
}

/** A literal without case, accents, spaces around it and the signs of a pattern. */
const plain = (text: string): string => foldText(text.replace(/^%+|%+$/g, '')).trim()

/** Whether the known answer has the value, in whatever column. */
const isRight = (hint: ValueMatch, said: ReadonlySet<string>, literals: readonly GoldLiteral[]): boolean =>
  said.has(plain(hint.value)) || literals.some(literal => tells(hint, literal))

const tells = ({ table, column, value }: ValueMatch, literal: GoldLiteral): boolean =>
  table === literal.table && column === literal.column && literal.values.has(value)

const textOf = ({ keyword, table, column, value }: ValueMatch): string =>
  `"${keyword}" ${table}.${column} = '${value.slice(0, 60).replace(/\s+/g, ' ')}'`

const summarize = ({ all, chosen, ...rest }: Measured) => ({
  ...rest,
  precisionOfAll: all.right / all.hints,
  recallOfAll: all.told / all.literals,
  precision: chosen.right / chosen.hints,
  recall: chosen.told / chosen.literals,
})

const show = (measured: readonly Measured[]): void => {
  const share = (part: number, whole: number): string =>
    whole === 0 ? '' : `${part}/${whole} ${((100 * part) / whole).toFixed(1)} %`
  const table = new Table({
    head: ['questions', 'n', 'hints', 'precision', 'recall', 'pieces', 'pieces of personal columns'],
  })
  for (const { file, questions, ...both } of measured)
    for (const which of ['all', 'chosen'] as const) {
      const counts = both[which]
      table.push([
        file,
        questions,
        which,
        share(counts.right, counts.hints),
        share(counts.told, counts.literals),
        share(counts.piecesTold, counts.pieces),
        share(counts.personalPiecesTold, counts.personalPieces),
      ])
    }
  console.log(table.toString())
}

await main()
