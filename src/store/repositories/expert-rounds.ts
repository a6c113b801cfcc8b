import { z } from 'zod'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { ExpertMistakes, ExpertRound } from '../../domain/selection/experts.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const ROUNDS = 'querent.expert_rounds'

const MISTAKES = 'querent.expert_mistakes'

const RoundRow = z.object({
  question_id: z.string(),
  groups: z.array(z.object({ key: z.string(), candidateIds: z.array(z.string()) })),
  answers: z.array(z.object({ expert: z.string(), key: z.string().nullable() })),
  wrong: z.array(z.string()).nullable(),
})

const MistakesRow = z.object({ expert: z.string(), mistakes: z.number().int() })

/** A stored round, and which of its experts were wrong; null until something is known. */
interface StoredRound {
  readonly round: ExpertRound
  readonly wrong: readonly string[] | null
}

/** Queries on what the experts of a live chooser said, and on how often each was wrong. */
export const makeExpertRounds = (within: Within) => ({
  /** Stores a round; a later one replaces it until it is settled. Fails if the question does not exist. */
  upsert: async ({ questionId, groups, answers }: ExpertRound, tx?: Tx): Promise<void> => {
    await within(tx)(ROUNDS)
      .insert({ question_id: questionId, groups: toJsonb(groups), answers: toJsonb(answers) })
      .onConflict('question_id')
      .merge(['groups', 'answers'])
      .whereNull('expert_rounds.wrong')
  },

  /** Locks the round of a question until the transaction ends; null if there is none. */
  lock: async (questionId: string, tx: Tx): Promise<StoredRound | null> => {
    const found: unknown = await within(tx)(ROUNDS).where({ question_id: questionId }).forUpdate().first()
    if (found === undefined) return null
    const { question_id, groups, answers, wrong } = RoundRow.parse(found)
    return { round: { questionId: question_id, groups, answers }, wrong }
  },

  /** Stores which experts of a round were wrong. */
  settle: async (questionId: string, wrong: readonly string[] | null, tx: Tx): Promise<void> => {
    await within(tx)(ROUNDS)
      .where({ question_id: questionId })
      .update({ wrong: wrong === null ? null : toJsonb(wrong) })
  },

  /** Adds to the count of an expert; the sum is never below 0. */
  addMistakes: async (expert: string, change: number, tx: Tx): Promise<void> => {
    await within(tx).raw(
      `insert into ${MISTAKES} as kept (expert, mistakes) values (?, greatest(0, ?::int))
       on conflict (expert) do update set mistakes = greatest(0, kept.mistakes + ?::int), updated_at = now()`,
      [cleanText(expert), change, change],
    )
  },

  /** How often each expert was wrong. */
  listMistakes: async (tx?: Tx): Promise<ExpertMistakes> => {
    const rows: unknown[] = await within(tx)(MISTAKES).orderByRaw('expert collate "C"')
    return new Map(
      rows.map(row => {
        const { expert, mistakes } = MistakesRow.parse(row)
        return [expert, mistakes]
      }),
    )
  },
})
