import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { QuerentError } from '../../src/domain/errors.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import type { Weights } from '../../src/parser/rank/model.ts'
import { drawProgress } from '../progress.ts'
import { companyId, makeOpenTrainingDatabase, makeUnanswerable, readCompanies } from './companies.ts'
import { crossValidate } from './cross-validate.ts'
import { fitWeights, makeFeatureNames } from './fit-weights.ts'
import { collectLists, type TrainingQuestion, takeEvenly } from './interpretation-lists.ts'
import { figuresOf, renderModel } from './render-model.ts'

/**
 * `npm run train:parser`: learns the weights and the calibration of the semantic parser from questions whose
 * right answer is known. What it does, in words: docs/evaluation.md, "Training the parser".
 */

/** The companies' questions say "last month": their golds hold for this day. */
const clock = { now: () => new Date('2026-11-20T12:00:00Z'), timeZone: 'UTC' }

/** In the first round the hand-set weights steer the beam, in the second what the first has learned. */
const ROUNDS = 2

/** One question in so many is also made unanswerable. */
const EVERY = 4

const fixtures = join(import.meta.dirname, '../../fixtures/parser-training')

const main = async (): Promise<void> => {
  const { files, folder, out, limit, seed } = readArguments()
  const scratch = mkdtempSync(join(tmpdir(), 'querent-training-'))
  try {
    const companies = readCompanies(fixtures)
    const questions = takeEvenly([...(await readFiles(files)), ...questionsOf(companies)], limit)
    const start = readWeights('start-weights.json')
    const names = makeFeatureNames()
    for (const name of Object.keys(start)) names.numberOf(name)
    const open = makeOpenTrainingDatabase({ folder, companies, scratch, today: clock.now(), seed })

    const collect = (what: readonly TrainingQuestion[], weights: Weights, doing: string) => {
      const onProgress = drawProgress(doing)
      return collectLists(what, { open, clock, weights, names, onProgress })
    }
    const startVector = () => Float64Array.from(names.all, name => start[name] ?? 0)

    let weights: Weights = start
    let collected = await collect(questions, weights, 'Round 1')
    for (let round = 2; round <= ROUNDS; round++) {
      weights = byName(fitWeights(collected.lists, startVector()), names.all)
      collected = await collect(questions, weights, `Round ${round}`)
    }
    for (const failed of collected.failedGolds) console.error(`Left out, its gold does not run: ${failed}`)

    const random = seededRandom(seed)
    const spoilt = questions
      .filter(({ origin }, i) => origin === 'file' && i % EVERY === 0)
      .flatMap(({ question, database }): TrainingQuestion[] => {
        const made = makeUnanswerable({ question, database, catalogs: collected.catalogs, random })
        return made ? [{ ...made, origin: 'unanswerable', golds: [] }] : []
      })
    const unanswerable = await collect(spoilt, weights, 'Unanswerable')

    const learned = fitWeights(collected.lists, startVector())
    const lists = [...collected.lists, ...unanswerable.lists]
    const validated = crossValidate(lists, { start: startVector(), names, seed })
    const figures = figuresOf(validated)
    const adjustments = readWeights('adjustments.json')
    const model = { weights: byName(learned, names.all), calibration: validated.calibration }
    writeFileSync(out, renderModel(model, { adjustments, figures, files, seed, date: new Date() }))
    console.log(JSON.stringify(figures, null, 2))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      questions: { type: 'string' },
      databases: { type: 'string' },
      out: { type: 'string' },
      limit: { type: 'string' },
      seed: { type: 'string', default: '7' },
    },
  })
  const { questions, databases: folder, out, limit, seed } = values
  if (!questions || !folder || !out)
    throw new QuerentError('bad-arguments', 'Give --questions FILE[,FILE], --databases DIR and --out FILE.')
  const whole = (text: string, option: string): number => {
    if (!/^[1-9]\d*$/.test(text))
      throw new QuerentError('bad-arguments', `${option} takes a whole number from 1, not “${text}”.`)
    return Number(text)
  }
  return {
    files: questions.split(','),
    folder,
    out,
    limit: limit === undefined ? Number.POSITIVE_INFINITY : whole(limit, '--limit'),
    seed: whole(seed, '--seed'),
  }
}

const readFiles = async (files: readonly string[]): Promise<TrainingQuestion[]> => {
  const lines = (await Promise.all(files.map(readQuestionsFile))).flatMap(file => selectUsable(file))
  return lines.flatMap(({ db_id, question, gold, alternatives }) =>
    gold === null ? [] : [{ database: db_id, origin: 'file', question, golds: [gold, ...alternatives] }],
  )
}

const questionsOf = (companies: ReturnType<typeof readCompanies>): TrainingQuestion[] =>
  companies.flatMap(({ name, questions }) =>
    questions.map(({ question, sql }): TrainingQuestion => {
      return { database: companyId(name), origin: 'company', question, golds: sql }
    }),
  )

const readWeights = (file: string): Record<string, number> =>
  z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(join(fixtures, file), 'utf8')))

const byName = (vector: Float64Array, names: readonly string[]): Weights =>
  Object.fromEntries(names.map((name, i) => [name, vector[i] ?? 0]))

await main()
