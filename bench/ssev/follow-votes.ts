import { drawFor, roundOf } from '../../graphs/strategies/ssev/vote.ts'
import type { ExpertAnswers, ExpertMistakes, ExpertVoteKind } from '../../src/domain/selection/experts.ts'
import { shuffle } from '../../src/lib/random.ts'
import { chooseByExperts, weighMistakes, wrongByLabel, wrongExperts } from '../../src/ranking/live-experts.ts'
import { makeMemoryExpertRecords } from '../../src/store/in-memory.ts'

/** A question with what its experts answer, and the keys of the right results. */
export interface JudgedQuestion {
  readonly id: string
  readonly answers: ExpertAnswers
  readonly right: ReadonlySet<string>
}

/**
 * Who chooses: by the votes of the live chooser, `thumbs` being `wma` that is only told whether what it showed was right.
 */
export const chooserNames = ['wma', 'rwma', 'naive', 'thumbs'] as const

export type ChooserName = (typeof chooserNames)[number]

/** Mistakes up to each question of one order, and what each expert's share of all weight was before it. */
export interface Course {
  readonly mistakes: Readonly<Record<ChooserName, readonly number[]>>
  readonly ofExperts: ReadonlyMap<string, readonly number[]>
  readonly shares: ReadonlyMap<string, readonly number[]>
}

/**
 * Asks all questions in an order of the seed, each decided before its outcome is known. The choice, the record of
 * mistakes and their update are those of the live chooser.
 */
export const followVotes = async (
  questions: readonly JudgedQuestion[],
  { seed, epsilon }: { readonly seed: number; readonly epsilon: number },
): Promise<Course> => {
  const experts = [...new Set(questions.flatMap(({ answers }) => [...answers.keys()]))]
  const told = makeMemoryExpertRecords()
  const thumbed = makeMemoryExpertRecords()
  const counts = Object.fromEntries(chooserNames.map(name => [name, [] as number[]])) as Record<
    ChooserName,
    number[]
  >
  const ofExperts = new Map(experts.map(expert => [expert, [] as number[]]))
  const shares = new Map(experts.map(expert => [expert, [] as number[]]))
  for (const { id, answers, right } of shuffle(questions, seed)) {
    const known = await told.listMistakes()
    const weights = weighMistakes(known, epsilon)
    const total = experts.reduce((sum, expert) => sum + (weights.get(expert) ?? 1), 0)
    for (const expert of experts) shares.get(expert)?.push((weights.get(expert) ?? 1) / total)

    const choose = (vote: ExpertVoteKind, mistakes: ExpertMistakes) =>
      chooseByExperts({ answers, mistakes, epsilon, vote, draw: drawFor(id, seed, vote) })
    const byThumbs = choose('wma', await thumbed.listMistakes())
    const chosen = {
      ...{ wma: choose('wma', known), rwma: choose('rwma', known) },
      ...{ naive: choose('naive', known), thumbs: byThumbs },
    }
    for (const name of chooserNames) add(counts[name], isRight(chosen[name]?.key, right) ? 0 : 1)

    const round = roundOf(id, answers)
    await told.saveRound(round)
    await told.settleRound(id, async one => wrongByLabel(one, key => right.has(key)))
    const wrong = wrongByLabel(round, key => right.has(key))
    for (const [expert, mistakes] of ofExperts) add(mistakes, wrong.includes(expert) ? 1 : 0)
    if (byThumbs === null) continue
    const vote = isRight(byThumbs.key, right) ? ('up' as const) : ('down' as const)
    const { candidateId } = byThumbs
    await thumbed.saveRound(round)
    await thumbed.settleRound(id, async one =>
      wrongExperts(
        one,
        {
          votes: [{ person: 'somebody', vote, candidateId, votedAt: new Date(0) }],
          ...{ feedback: [], reviews: [], speakers: [] },
        },
        new Set(),
      ),
    )
  }
  return { mistakes: counts, ofExperts, shares }
}

const isRight = (key: string | undefined, right: ReadonlySet<string>): boolean =>
  key !== undefined && right.has(key)

const add = (counts: number[], more: number): void => {
  counts.push((counts.at(-1) ?? 0) + more)
}
