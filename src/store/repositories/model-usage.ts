import { z } from 'zod'
import { modelRoles } from '../../domain/model.ts'
import type {
  DaySpending,
  ModelSpending,
  ModelUsageLedger,
  QuestionSpending,
  SpendingContext,
} from '../../domain/operations/usage.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.model_usage'

const BUDGETS = 'querent.budget_usage'

const QUESTIONS = 'querent.question_usage'

const nowhereElse: SpendingContext = { questionId: null, channel: null }

/** How a missing person is stored. */
const NOBODY = ''

const Row = z.object({
  day: z.string(),
  asked_by: z.string(),
  model: z.string(),
  role: z.enum(modelRoles),
  // Sums of big integers and numerics arrive as text.
  calls: z.coerce.number(),
  prompt_tokens: z.coerce.number(),
  completion_tokens: z.coerce.number(),
  money: z.coerce.number().nullable(),
})

const Spent = z.object({
  tokens: z.coerce.number(),
  money: z.coerce.number(),
  tokens_of_person: z.coerce.number(),
  money_of_person: z.coerce.number(),
  tokens_of_channel: z.coerce.number(),
  money_of_channel: z.coerce.number(),
})

const Role = z.object({
  role: z.enum(modelRoles),
  calls: z.coerce.number(),
  tokens: z.coerce.number(),
  money: z.coerce.number(),
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

/** Queries on model costs. */
export const makeModelUsage = (within: Within): ModelUsageLedger => ({
  record: async (spending: ModelSpending, on: SpendingContext = nowhereElse): Promise<void> => {
    const { day, askedBy, model, role, calls, promptTokens, completionTokens, money } = spending
    // One statement adds to an existing row, so concurrent processes lose nothing.
    const tokens = promptTokens + completionTokens
    await within().raw(
      `with in_channel as (
         insert into ${BUDGETS} as used (day, scope, name, tokens, money)
         select ?::date, 'channel', ?::text, ?::bigint, ?::numeric where ?::text is not null
         on conflict (day, scope, name) do update set
           tokens = used.tokens + excluded.tokens, money = used.money + excluded.money
       ), for_question as (
         insert into ${QUESTIONS} as used (question_id, role, calls, tokens, money)
         select question.id, ?::text, ?::bigint, ?::bigint, ?::numeric
         from querent.questions as question where question.id = ?::uuid
         on conflict (question_id, role) do update set
           calls = used.calls + excluded.calls, tokens = used.tokens + excluded.tokens,
           money = used.money + excluded.money
       )
       insert into ${TABLE} as booked (day, asked_by, model, role, calls, prompt_tokens, completion_tokens, money)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (day, asked_by, model, role) do update set
         calls = booked.calls + excluded.calls,
         prompt_tokens = booked.prompt_tokens + excluded.prompt_tokens,
         completion_tokens = booked.completion_tokens + excluded.completion_tokens,
         money = booked.money + excluded.money`,
      [
        ...[day, on.channel, tokens, money ?? 0, on.channel],
        ...[role, calls, tokens, money ?? 0, on.questionId],
        ...[day, askedBy ?? NOBODY, model, role, calls, promptTokens, completionTokens, money],
      ],
    )
  },

  spentOn: async (
    day: string,
    askedBy: string | null,
    channel: string | null = null,
  ): Promise<DaySpending> => {
    const { rows } = await within().raw<{ rows: unknown[] }>(
      `select coalesce(sum(prompt_tokens + completion_tokens), 0) as tokens,
         coalesce(sum(model_usage.money), 0) as money,
         coalesce(sum(prompt_tokens + completion_tokens) filter (where asked_by = ?), 0) as tokens_of_person,
         coalesce(sum(model_usage.money) filter (where asked_by = ?), 0) as money_of_person,
         coalesce(max(used.tokens), 0) as tokens_of_channel,
         coalesce(max(used.money), 0) as money_of_channel
       from (select ?::date as today) as given
       left join ${TABLE} on day = today
       left join (select tokens, money from ${BUDGETS} where day = ? and scope = 'channel' and name = ?) as used
         on true`,
      [askedBy, askedBy, day, day, channel],
    )
    const spent = Spent.parse(rows[0])
    return {
      tokens: spent.tokens,
      money: spent.money,
      tokensOfPerson: spent.tokens_of_person,
      moneyOfPerson: spent.money_of_person,
      tokensOfChannel: spent.tokens_of_channel,
      moneyOfChannel: spent.money_of_channel,
    }
  },

  spentFor: async (questionId: string): Promise<readonly QuestionSpending[]> => {
    const rows: unknown[] = await within()(QUESTIONS).where({ question_id: questionId }).orderBy('role')
    return rows.map(row => Role.parse(row))
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
