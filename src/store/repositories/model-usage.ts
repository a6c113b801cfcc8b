import { z } from 'zod'
import { modelRoles } from '../../core/model.ts'
import type { DaySpending, ModelLedger, ModelSpending } from '../../core/model-ledger.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.model_usage'

/** How nobody is written down. */
const NOBODY = ''

const Row = z.object({
  day: z.string(),
  asked_by: z.string(),
  model: z.string(),
  role: z.enum(modelRoles),
  // Sums of big integers and of numerics come as text.
  calls: z.coerce.number(),
  prompt_tokens: z.coerce.number(),
  completion_tokens: z.coerce.number(),
  money: z.coerce.number().nullable(),
})

const Spent = z.object({
  tokens: z.coerce.number(),
  money: z.coerce.number(),
  tokens_of_person: z.coerce.number(),
})

const toSpending = (raw: unknown): ModelSpending => {
  const row = Row.parse(raw)
  return {
    day: row.day,
    askedBy: row.asked_by === NOBODY ? null : row.asked_by,
    model: row.model,
    role: row.role,
    calls: row.calls,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    money: row.money,
  }
}

/** Makes the queries over what models cost. */
export const makeModelUsage = (within: Within): ModelLedger => ({
  book: async (spending: ModelSpending): Promise<void> => {
    const { day, askedBy, model, role, calls, promptTokens, completionTokens, money } = spending
    // One statement adds to the row where there is one: however many processes book, nothing is lost.
    await within().raw(
      `insert into ${TABLE} as booked (day, asked_by, model, role, calls, prompt_tokens, completion_tokens, money)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (day, asked_by, model, role) do update set
         calls = booked.calls + excluded.calls,
         prompt_tokens = booked.prompt_tokens + excluded.prompt_tokens,
         completion_tokens = booked.completion_tokens + excluded.completion_tokens,
         money = booked.money + excluded.money`,
      [day, askedBy ?? NOBODY, model, role, calls, promptTokens, completionTokens, money],
    )
  },

  spentOn: async (day: string, askedBy: string | null): Promise<DaySpending> => {
    const { rows } = await within().raw<{ rows: unknown[] }>(
      `select coalesce(sum(prompt_tokens + completion_tokens), 0) as tokens,
         coalesce(sum(money), 0) as money,
         coalesce(sum(prompt_tokens + completion_tokens) filter (where asked_by = ?), 0) as tokens_of_person
       from ${TABLE} where day = ?`,
      [askedBy, day],
    )
    const { tokens, money, tokens_of_person } = Spent.parse(rows[0])
    return { tokens, money, tokensOfPerson: tokens_of_person }
  },

  list: async (day: string): Promise<readonly ModelSpending[]> => {
    const { rows } = await within().raw<{ rows: unknown[] }>(
      `select day::text as day, asked_by, model, role, calls, prompt_tokens, completion_tokens, money
       from ${TABLE} where day = ?
       order by prompt_tokens + completion_tokens desc, model, role, asked_by`,
      [day],
    )
    return rows.map(toSpending)
  },
})
