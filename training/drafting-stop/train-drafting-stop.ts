import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { poolOptions } from '../../bench/pool-options.ts'
import { trainStoppingModel } from '../../src/ranking/learning/train-stopping-model.ts'
import { costOfDraft } from '../../src/ranking/stopping-rule.ts'
import { readVotes } from './read-votes.ts'

/**
 * `npm run train:drafting-stop -- --pools FILE --questions FILE --databases DIR --pool P [--out FILE]`: learns how sure
 * to be of a vote, and when to stop drafting, from candidates that real systems wrote. Every question counts twice:
 * with what the semantic parser says of it, and without, because a database may be one that it cannot read.
 */
const { values } = parseArgs({
  options: {
    ...poolOptions,
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'weights/drafting-stop.json' },
  },
})

const { pools = '', questions = '', databases = '', pool, out } = values

const seed = Number(values.seed)

const votes = await readVotes({ pools, questions, databases, pool })

const plain = votes.map(vote => ({ ...vote, priors: new Map<string, number>() }))

const train = (wanted: (database: string) => boolean) =>
  trainStoppingModel(
    [...votes, ...plain].filter(({ database }) => wanted(database)),
    { cost: costOfDraft, seed },
  )

const databasesSeen = [...new Set(votes.map(({ database }) => database))].sort()

const weights = train(() => true)

const short = (numbers: readonly number[]): number[] => numbers.map(number => Number(number.toFixed(4)))

const model = {
  provenance: {
    databases: databasesSeen,
    trainedOn: [
      `${votes.length} questions, candidates ${pool}, with and without the semantic parser's readings`,
    ],
    method: `logistic regression; optimal stopping by fitted value iteration, ridge of 20, cost ${costOfDraft} a draft, seed ${seed}`,
    date: new Date().toISOString().slice(0, 10),
  },
  measures: weights.measures,
  rating: short(weights.rating),
  going: weights.going.map(short),
}

const path = resolve(process.env.INIT_CWD ?? '.', out)

writeFileSync(path, `${JSON.stringify(model, null, 1)}\n`)

// One model without each database, for measuring on it.
const folds = databasesSeen.map(left => {
  const { rating, going } = train(database => database !== left)
  return [left, { rating: short(rating), going: going.map(short) }]
})

writeFileSync(path.replace(/\.json$/, '-folds.json'), `${JSON.stringify(Object.fromEntries(folds))}\n`)
