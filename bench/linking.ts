import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Table from 'cli-table3'
import { linkSchema } from '../src/databases/schema-linking/link-schema.ts'
import { QuerentError } from '../src/domain/errors.ts'
import type { LinkSchema } from '../src/domain/question-context.ts'
import { drawProgress } from '../training/progress.ts'
import { fitRanker } from '../training/schema-linking/fit-column-ranker.ts'
import { crossFit } from './linking/folds.ts'
import { type LinkingQuestion, readLinkingQuestions } from './linking/linking-questions.ts'
import { countColumns, measureRecall } from './linking/measure-recall.ts'
import { type LinkingSpeed, measureSpeed } from './linking/measure-speed.ts'
import { usualWideSize } from './wide-database/generate-wide-database.ts'

/**
 * `npm run bench:linking`: which share of golds could be written from what schema linking keeps, and how fast it is on
 * a wide schema. With `--out` it also learns the weights that ship. In words: docs/how-it-works.md, "How the schema is
 * chosen".
 */

/** Databases with more columns than this are looked at alone too: the budget is tightest on them. */
const WIDE = 30

const FOLDS = 5

const SPEED_QUESTIONS = 500

const results = join(import.meta.dirname, 'results')

interface Row {
  readonly what: string
  readonly questions: number
  readonly tables: number
  readonly columns: number
}

const main = async (): Promise<void> => {
  const { files, folders, folds, out, cache, scratch } = readArguments()
  try {
    const rows: Row[] = []
    const curves: Record<string, readonly Row[]> = {}
    const missed: Record<string, readonly string[]> = {}
    let first: readonly LinkingQuestion[] = []
    for (const [i, file] of files.entries()) {
      const name = basename(file, '.jsonl')
      const { questions, unresolved } = await readLinkingQuestions({
        file,
        folder: folders[i] ?? folders.at(-1)!,
        cacheFolder: cache,
        onProgress: drawProgress(name),
      })
      if (unresolved.length > 0)
        console.error(`${name}: left out, gold not resolved: ${unresolved.join(', ')}`)
      if (i === 0) first = questions
      const shipped = (): LinkSchema => linkSchema
      const linkerOf = folds && i === 0 ? crossFit(questions, FOLDS) : shipped
      const label = linkerOf === shipped ? name : `${name}, cross-validated`
      const wide = questions.filter(question => countColumns(question) > WIDE)
      const all = await measureRecall(questions, linkerOf)
      rows.push(
        { what: label, ...all },
        { what: `${label}, over ${WIDE} columns`, ...(await measureRecall(wide, linkerOf)) },
      )
      missed[label] = all.missed
      curves[label] = await drawCurve(questions, linkerOf)
    }
    const speed = await measureSpeed(usualWideSize, SPEED_QUESTIONS, collectGarbage())
    if (out) writeRanker(out, first, files[0]!, rows.slice(0, 2))
    show(rows, curves, speed)
    mkdirSync(results, { recursive: true })
    const report = {
      rows: rows.map(asFigures),
      curves: Object.fromEntries(
        Object.entries(curves).map(([what, points]) => [what, points.map(asFigures)]),
      ),
      speed,
      missed,
    }
    writeFileSync(join(results, 'linking.json'), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true })
  }
}

const drawCurve = async (
  questions: readonly LinkingQuestion[],
  linkerOf: (question: LinkingQuestion) => LinkSchema,
): Promise<readonly Row[]> => {
  const points: Row[] = []
  for (let percent = 10; percent <= 100; percent += 10) {
    const budget = (columns: number): number => Math.max(1, Math.floor((columns * percent) / 100))
    points.push({ what: `${percent} %`, ...(await measureRecall(questions, linkerOf, budget)) })
  }
  return points
}

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      questions: { type: 'string' },
      databases: { type: 'string' },
      folds: { type: 'boolean', default: false },
      out: { type: 'string' },
      cache: { type: 'string' },
    },
  })
  const { questions, databases, folds, out, cache } = values
  if (!questions || !databases)
    throw new QuerentError(
      'bad-arguments',
      'Give --questions FILE[,FILE] and --databases DIR[,DIR], one folder for each file. --folds cross-validates the first file, --out FILE learns from it.',
    )
  const scratch = cache === undefined ? mkdtempSync(join(tmpdir(), 'querent-linking-')) : null
  return {
    files: questions.split(','),
    folders: databases.split(','),
    folds: folds || out !== undefined,
    out,
    cache: cache ?? (scratch as string),
    scratch,
  }
}

const writeRanker = (
  path: string,
  questions: readonly LinkingQuestion[],
  file: string,
  rows: readonly Row[],
): void => {
  const databases = new Set(questions.map(({ database }) => database)).size
  const provenance = {
    trainedOn: `${basename(file)}: ${questions.length} questions of ${databases} databases; nothing of their text is kept here`,
    method:
      'three logistic regressions, L2 of 3 towards zero, L-BFGS: tables, tables after a look at those beside them, columns',
    crossValidated: {
      folds: `${FOLDS}, by database`,
      budget: '40 % of the columns, 12 at least',
      figures: rows.map(asFigures),
    },
    date: new Date().toISOString().slice(0, 10),
  }
  writeFileSync(path, `${JSON.stringify({ provenance, weights: fitRanker(questions) }, null, 2)}\n`)
}

const asFigures = ({ what, questions, tables, columns }: Row) => ({
  what,
  questions,
  tables: Number(tables.toFixed(4)),
  columns: Number(columns.toFixed(4)),
})

const show = (
  rows: readonly Row[],
  curves: Readonly<Record<string, readonly Row[]>>,
  speed: LinkingSpeed,
): void => {
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
  const recall = new Table({
    head: ['40 %, 12 at least', 'n', 'all tables', 'all columns'],
    style: { head: [] },
  })
  for (const { what, questions, tables, columns } of rows)
    recall.push([what, questions, percent(tables), percent(columns)])
  console.log(recall.toString())
  for (const [what, points] of Object.entries(curves)) {
    const curve = new Table({ head: [what, ...points.map(point => point.what)], style: { head: [] } })
    curve.push(['all tables', ...points.map(point => (point.tables * 100).toFixed(1))])
    curve.push(['all columns', ...points.map(point => (point.columns * 100).toFixed(1))])
    console.log(curve.toString())
  }
  const { tables, columns, questions, firstMs, p50Ms, p95Ms, mostMs, p95CpuMs, heldMb } = speed
  console.log(
    `${tables} tables, ${columns} columns, ${questions} questions: first ${firstMs.toFixed(0)} ms, then p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, most ${mostMs.toFixed(1)} ms (p95 of the processor's time ${p95CpuMs.toFixed(1)} ms); ${heldMb.toFixed(1)} MB held`,
  )
}

/** Without it what is held cannot be told from what is about to be thrown away. */
const collectGarbage = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

await main()
