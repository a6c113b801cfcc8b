import { randomUUID } from 'node:crypto'
import type { Outcome } from '../domain/answer.ts'
import type { Candidate } from '../domain/candidate.ts'
import {
  type ConversationTurn,
  changedBy,
  type LoadTranscript,
  transcriptLimits,
} from '../domain/conversation.ts'
import { QuerentError } from '../domain/errors.ts'
import type { ModelRole } from '../domain/model.ts'
import type { ModelSpending, ModelUsageLedger, QuestionSpending } from '../domain/operations/usage.ts'
import type { Question, QuestionLog } from '../domain/question.ts'
import type { QuestionContext, RunStore } from '../domain/question-context.ts'
import type { LoadResult, LoadResultHeads, ResultTable, SaveResult } from '../domain/result.ts'
import { changesOfMistakes, type ExpertRecords, type ExpertRound } from '../domain/selection/experts.ts'

/** A run store in memory, for `ask` and `eval`, whose runs are not resumed. */
export const makeMemoryRunStore = (): RunStore & { forget(questionId: string): void } => {
  const contexts = new Map<string, QuestionContext>()
  const candidates = new Map<string, Map<string, Candidate>>()
  return {
    saveContext: async (questionId, context) => {
      contexts.set(questionId, context)
    },
    loadContext: async questionId => {
      const context = contexts.get(questionId)
      if (!context)
        throw new QuerentError('internal', `no question context was saved for question ${questionId}`)
      return context
    },
    saveCandidates: async (questionId, saved) => {
      const known = candidates.get(questionId) ?? new Map<string, Candidate>()
      for (const candidate of saved) known.set(candidate.id, candidate)
      candidates.set(questionId, known)
    },
    loadCandidates: async questionId =>
      [...(candidates.get(questionId)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1)),
    forget: questionId => {
      contexts.delete(questionId)
      candidates.delete(questionId)
    },
  }
}

/** A question log in memory: only questions and their outcomes. */
export const makeMemoryQuestionLog = (): QuestionLog & {
  insert(question: Question): void
  forget(questionId: string): void
  outcomeOf(questionId: string): Outcome | null
} => {
  const questions = new Map<string, Question>()
  const outcomes = new Map<string, Outcome>()
  return {
    insert: question => {
      questions.set(question.id, question)
    },
    forget: questionId => {
      questions.delete(questionId)
      outcomes.delete(questionId)
    },
    outcomeOf: questionId => outcomes.get(questionId) ?? null,
    begin: async () => ({ begun: true }),
    storeReport: async ({ questionId, outcome }) => {
      outcomes.set(questionId, outcome)
      return true
    },
    endStop: async () => null,
    lastOutcome: async () => null,
    load: async questionId => questions.get(questionId) ?? null,
  }
}

/** Saved results in memory. */
export const makeMemoryResults = (): {
  save: SaveResult
  load: LoadResult
  heads: LoadResultHeads
  forget(questionId: string): void
} => {
  const tables = new Map<string, { questionId: string; table: ResultTable }>()
  return {
    save: async (questionId, table) => {
      const id = randomUUID()
      tables.set(id, { questionId, table })
      return id
    },
    load: async id => tables.get(id)?.table ?? null,
    heads: async (ids, rows) =>
      new Map(
        ids.flatMap(id => {
          const table = tables.get(id)?.table
          if (table === undefined) return []
          return [
            [id, { columns: table.columns, rows: table.rows.slice(0, rows), rowCount: table.rows.length }],
          ]
        }),
      ),
    forget: questionId => {
      for (const [id, kept] of tables) if (kept.questionId === questionId) tables.delete(id)
    },
  }
}

/** Records of experts in memory, for as long as the process lives. */
export const makeMemoryExpertRecords = (): ExpertRecords & { forget(questionId: string): void } => {
  const rounds = new Map<string, { readonly round: ExpertRound; readonly wrong: readonly string[] | null }>()
  const mistakes = new Map<string, number>()
  return {
    listMistakes: async () => new Map(mistakes),
    saveRound: async round => {
      const known = rounds.get(round.questionId)
      if (known === undefined || known.wrong === null) rounds.set(round.questionId, { round, wrong: null })
    },
    settleRound: async (questionId, judge) => {
      const known = rounds.get(questionId)
      if (known === undefined) return
      const wrong = await judge(known.round)
      rounds.set(questionId, { round: known.round, wrong })
      for (const [expert, change] of changesOfMistakes(known.wrong ?? [], wrong ?? []))
        mistakes.set(expert, (mistakes.get(expert) ?? 0) + change)
    },
    // What was learned stays.
    forget: questionId => void rounds.delete(questionId),
  }
}

/** Loads the transcript of questions that name the one they follow (`ask --after`), oldest first. */
export const makeMemoryTranscripts = ({
  questions,
  runStore,
}: {
  readonly questions: {
    load(questionId: string): Promise<Question | null>
    outcomeOf(questionId: string): Outcome | null
  }
  readonly runStore: Pick<RunStore, 'loadContext'>
}): LoadTranscript => {
  const turnOf = async (question: Question): Promise<ConversationTurn | null> => {
    const outcome = questions.outcomeOf(question.id)
    if (outcome?.status !== 'answered') return null
    const { understanding } = await runStore.loadContext(question.id)
    const { sql, headline, assumptions, confidence } = outcome
    return {
      questionId: question.id,
      originalText: question.text,
      text: understanding.text,
      askedBy: question.askedBy,
      askedAt: question.askedAt,
      sql,
      headline,
      assumptions,
      confidence,
      chain: understanding.followUp?.chain ?? [],
      ...changedBy(question.text, understanding.followUp),
    }
  }

  return async questionId => {
    const turns: ConversationTurn[] = []
    let at = (await questions.load(questionId))?.follows
    for (let steps = 0; at && steps < transcriptLimits.turns; steps += 1) {
      const question = await questions.load(at)
      const turn = question && (await turnOf(question))
      if (turn) turns.unshift(turn)
      at = question?.follows
    }
    return { turns, comments: [] }
  }
}

/** Days kept: today, and the day a running question started on. */
const MAX_DAYS = 2

/** The most questions kept; earlier ones have long ended. */
const MAX_QUESTIONS = 1_000

/** A ledger for runs without a store. It starts empty with the process. */
export const makeMemoryModelLedger = (): ModelUsageLedger => {
  const days = new Map<string, Map<string, ModelSpending>>()
  const channels = new Map<string, { readonly tokens: number; readonly money: number }>()
  const questions = new Map<string, Map<ModelRole, QuestionSpending>>()
  const rowsOf = (day: string): Map<string, ModelSpending> => {
    const rows = days.get(day) ?? new Map<string, ModelSpending>()
    days.set(day, rows)
    const oldest = [...days.keys()].sort()[0]
    if (days.size > MAX_DAYS && oldest !== undefined) days.delete(oldest)
    return rows
  }
  return {
    record: async (spending, { questionId, channel } = { questionId: null, channel: null }) => {
      if (channel !== null) {
        const used = channels.get(JSON.stringify([spending.day, channel])) ?? { tokens: 0, money: 0 }
        channels.set(JSON.stringify([spending.day, channel]), {
          tokens: used.tokens + tokensOf(spending),
          money: used.money + (spending.money ?? 0),
        })
      }
      if (questionId !== null) {
        const roles = questions.get(questionId) ?? new Map<ModelRole, QuestionSpending>()
        const used = roles.get(spending.role)
        roles.set(spending.role, {
          role: spending.role,
          calls: (used?.calls ?? 0) + spending.calls,
          tokens: (used?.tokens ?? 0) + tokensOf(spending),
          money: (used?.money ?? 0) + (spending.money ?? 0),
        })
        questions.set(questionId, roles)
        const oldest = questions.keys().next().value
        if (questions.size > MAX_QUESTIONS && oldest !== undefined) questions.delete(oldest)
      }
      const { day, askedBy, model, role } = spending
      const rows = rowsOf(day)
      const key = JSON.stringify([askedBy, model, role])
      const before = rows.get(key)
      rows.set(key, before ? sumOf(before, spending) : spending)
    },
    spentOn: async (day, askedBy, channel = null) => {
      const rows = [...(days.get(day)?.values() ?? [])]
      const own = askedBy === null ? [] : rows.filter(row => row.askedBy === askedBy)
      const used = channels.get(JSON.stringify([day, channel])) ?? { tokens: 0, money: 0 }
      return {
        tokens: sum(rows.map(tokensOf)),
        money: sum(rows.map(({ money }) => money ?? 0)),
        tokensOfPerson: sum(own.map(tokensOf)),
        moneyOfPerson: sum(own.map(({ money }) => money ?? 0)),
        tokensOfChannel: used.tokens,
        moneyOfChannel: used.money,
      }
    },
    spentFor: async questionId =>
      [...(questions.get(questionId)?.values() ?? [])].sort((a, b) => (a.role < b.role ? -1 : 1)),
    list: async day => [...(days.get(day)?.values() ?? [])].sort((a, b) => tokensOf(b) - tokensOf(a)),
  }
}

const sumOf = (a: ModelSpending, b: ModelSpending): ModelSpending => ({
  ...a,
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  money: a.money === null || b.money === null ? null : a.money + b.money,
})

const tokensOf = ({ promptTokens, completionTokens }: ModelSpending): number =>
  promptTokens + completionTokens

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
