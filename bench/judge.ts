import { parseArgs } from 'node:util'
import { compareAllPairs } from '../graphs/answer/comparison/all-pairs.ts'
import type { ProbeMembers } from '../graphs/answer/comparison/compare-pair.ts'
import { ratePairByScore } from '../graphs/answer/comparison/pair-judges.ts'
import {
  runTournament,
  type TournamentRules,
  tournamentRules,
} from '../graphs/answer/comparison/tournament.ts'
import type { PairMember } from '../src/domain/selection/pairwise.ts'
import { seededRandom } from '../src/evaluation/statistics.ts'
import { stoppingModelWithout } from '../src/ranking/stopping-folds.ts'
import { makeStoppingRule } from '../src/ranking/stopping-rule.ts'
import { makeVoteWithEvidence } from '../src/ranking/strategies.ts'
import { readVotes } from '../training/drafting-stop/read-votes.ts'
import { type ImaginedJudge, makeImaginedJudge } from './judge/imagined-judge.ts'
import { openProbes } from './judge/probe-members.ts'
import { stockOfVotes } from './judge/stock-of-votes.ts'
import { poolOptions } from './pool-options.ts'

/**
 * `npm run bench:judge -- --pools FILE --questions FILE --databases DIR`: what a judge of a given accuracy would be worth,
 * on the groups that real candidates make, without asking any model. In the full mode all pairs of all candidates
 * are compared, in the adaptive mode those that the knock-out asks about once the vote has stopped; with and without
 * probing a pair first. `probes` says how often a probe decides a pair of the full mode, and how often rightly.
 */
const { values } = parseArgs({
  options: {
    ...poolOptions,
    rounds: { type: 'string', default: '20' },
  },
})

const { pools = '', questions = '', databases = '', pool } = values

const rounds = Number(values.rounds)

const { probesOf, close } = openProbes(databases)

const votes = (await readVotes({ pools, questions, databases, pool })).map(vote => {
  const model = stoppingModelWithout(vote.database)
  const stops = makeVoteWithEvidence({
    rate: () => 0,
    judge: makeStoppingRule({ going: model.going.balanced }),
  })
  const { consumed } = stops(vote.candidateVotes, vote.priors).early
  return {
    all: stockOfVotes(vote.candidateVotes, vote.priors, model),
    early: stockOfVotes(vote.candidateVotes.slice(0, consumed), vote.priors, model),
    probe: probesOf(vote),
    isRight: (member: PairMember) => vote.right.has(member.representative.id),
  }
})

/** Above what a model that was not trained to judge reached in CHASE-SQL (3.5: .58), up to one that never errs. */
const ACCURACIES = [0.5, 0.58, 0.65, 0.7, 0.75, 0.8, 0.9, 1]

type Compare = (
  members: readonly [PairMember, ...PairMember[]],
  judge: ImaginedJudge,
  probe: ProbeMembers | null,
) => Promise<PairMember>

/** Algorithm 3 with a judge that nothing but a probe spares; `bench:full-mode` measures what ships. */
const full: Compare = async (members, { ask }, probe) =>
  (await compareAllPairs(members, { ask, probe, rate: () => 0.5, surePair: 1 })).winner

const adaptive =
  (rules: TournamentRules): Compare =>
  async (members, { ask }, probe) =>
    (await runTournament(members, { ask, probe, rate: ratePairByScore, rules })).winner

const measure = async (
  which: 'all' | 'early',
  compare: Compare,
  { accuracy, isProbed = false }: { readonly accuracy: number; readonly isProbed?: boolean },
) => {
  const random = seededRandom(7)
  let right = 0
  let judgements = 0
  let asked = 0
  for (let round = 0; round < rounds; round++) {
    for (const { isRight, probe, ...stocks } of votes) {
      const [leader, ...others] = stocks[which]
      if (leader === undefined) continue
      const judge = makeImaginedJudge(accuracy, isRight, random)
      if (isRight(await compare([leader, ...others], judge, isProbed ? probe : null))) right += 1
      judgements += judge.asked()
      if (judge.asked() > 0) asked += 1
    }
  }
  const runs = rounds * votes.length
  return { accuracy, ex: share(right, runs), judgements: share(judgements, runs), asked: share(asked, runs) }
}

/** Every pair of groups, and of those of which one is right, how many a probe decides and how many of them rightly. */
const countProbes = async () => {
  const count = { pairs: 0, decided: 0, ofOneRight: 0, decidedOfOneRight: 0, right: 0 }
  const byReason = new Map<string, { decided: number; right: number }>()
  for (const { all, isRight, probe } of votes)
    for (const [at, leading] of all.entries())
      for (const other of all.slice(at + 1)) {
        const found = await probe(leading, other)
        const isOneRight = isRight(leading) !== isRight(other)
        count.pairs += 1
        if (isOneRight) count.ofOneRight += 1
        if (found === null) continue
        count.decided += 1
        if (!isOneRight) continue
        count.decidedOfOneRight += 1
        if (isRight(found.winner)) count.right += 1
        for (const reason of found.reason.split('; ')) {
          const kind = reason.startsWith('looked up whether “') ? 'looked up whether a text is held' : reason
          const one = byReason.get(kind) ?? { decided: 0, right: 0 }
          byReason.set(kind, {
            decided: one.decided + 1,
            right: one.right + Number(isRight(found.winner)),
          })
        }
      }
  return { ...count, byReason: Object.fromEntries(byReason) }
}

const share = (count: number, of: number): number => Number((count / of).toFixed(4))

const inTurn = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) => {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

const unjudged = (which: 'all' | 'early'): number =>
  share(
    votes.filter(({ isRight, ...stocks }) => stocks[which][0] && isRight(stocks[which][0])).length,
    votes.length,
  )

const grid = [0.65, 0.7, 0.75, 0.8].flatMap(surePair =>
  [2, 4].map(leading => ({ ...tournamentRules, surePair, leading })),
)

const result = {
  n: votes.length,
  pool,
  rounds,
  probes: await countProbes(),
  full: {
    unjudged: unjudged('all'),
    judged: await inTurn(ACCURACIES, accuracy => measure('all', full, { accuracy })),
    probed: await inTurn(ACCURACIES, accuracy => measure('all', full, { accuracy, isProbed: true })),
  },
  adaptive: {
    unjudged: unjudged('early'),
    rules: tournamentRules,
    judged: await inTurn(ACCURACIES, accuracy => measure('early', adaptive(tournamentRules), { accuracy })),
    probed: await inTurn(ACCURACIES, accuracy =>
      measure('early', adaptive(tournamentRules), { accuracy, isProbed: true }),
    ),
  },
  rules: await inTurn(grid, async rules => ({
    ...rules,
    judged: await inTurn([0.58, 0.65, 0.8], accuracy => measure('early', adaptive(rules), { accuracy })),
  })),
}

await close()

process.stdout.write(`${JSON.stringify(result, null, 1)}\n`)
