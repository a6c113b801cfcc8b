import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { poolOptions } from '../../bench/pool-options.ts'
import { fitGoing, fitRating, traceVotes } from '../../src/ranking/learning/train-stopping-model.ts'
import { costOfDraft, tallyMeasureNames } from '../../src/ranking/stopping-rule.ts'
import { chooseLearned } from './choose-learned.ts'
import { readVotes } from './read-votes.ts'

/**
 * `npm run train:drafting-stop -- --pools FILE --questions FILE --databases DIR --pool P [--out FILE]`: learns how sure
 * to be of a vote, and when to stop drafting, from candidates that real systems wrote. Every question counts twice:
 * with what the semantic parser says of it, and without, because a database may be one that it cannot read. Right
 * is what the learned selector would choose of the drafts so far, which profits longer from further ones than a vote.
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

const plain = votes.map(vote => ({ ...vote, priors: new Map<string, number>(), parserEvidence: [] }))

const both = [...votes, ...plain]

const byLeader = traceVotes(both, { seed })

process.stderr.write('choosing among the first drafts of every question; this takes some minutes\n')

const bySelector = traceVotes(both, { seed, choose: chooseLearned })

const short = (numbers: readonly number[]): number[] => numbers.map(number => Number(number.toFixed(4)))

const train = (wanted: (database: string) => boolean) => {
  const isOurs = ({ database }: { readonly database: string }): boolean => wanted(database)
  const [leaders, selected] = [byLeader.filter(isOurs), bySelector.filter(isOurs)]
  return {
    rating: short(fitRating(leaders)),
    going: {
      frugal: fitGoing(selected, costOfDraft.frugal).map(short),
      balanced: fitGoing(selected, costOfDraft.balanced).map(short),
      thorough: fitGoing(selected, costOfDraft.thorough).map(short),
    },
  }
}

const databasesSeen = [...new Set(votes.map(({ database }) => database))].sort()

const costs = Object.entries(costOfDraft).map(([budget, cost]) => `${cost} (${budget})`)

const model = {
  provenance: {
    databases: databasesSeen,
    trainedOn: [
      `${votes.length} questions, candidates ${pool}, with and without the semantic parser's readings`,
    ],
    method: `logistic regression; optimal stopping by fitted value iteration, ridge of 20, a draft at ${costs.join(', ')}, seed ${seed}`,
    date: new Date().toISOString().slice(0, 10),
  },
  measures: tallyMeasureNames,
  ...train(() => true),
}

const path = resolve(process.env.INIT_CWD ?? '.', out)

writeFileSync(path, `${JSON.stringify(model, null, 1)}\n`)

// One model without each database, for measuring on it.
const folds = databasesSeen.map(left => [left, train(database => database !== left)])

writeFileSync(path.replace(/\.json$/, '-folds.json'), `${JSON.stringify(Object.fromEntries(folds))}\n`)
