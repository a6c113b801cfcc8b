import type { AnswerReport } from '../domain/answer.ts'
import type { Clarification, ClarificationReply } from '../domain/clarification.ts'
import { parseDatabaseRef } from '../domain/database.ts'
import {
  type DecideRule,
  maxRuleTextLength,
  type ProposedRule,
  type RuleMeaning,
} from '../domain/knowledge.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { Question } from '../domain/question.ts'
import type { ResumeQuestion } from './run-question.ts'

/** Keeps what a reply said of the team's words as a proposed rule. Does nothing where it said nothing lasting. */
type ProposeRule = (report: AnswerReport, reply: ClarificationReply) => Promise<void>

/**
 * Makes the use case. Only what a person said is proposed, and only where it led to an answer: a default that was
 * taken because nobody replied says nothing.
 */
export const makeProposeRule =
  (deps: {
    readonly findQuestion: (questionId: string) => Promise<Question | null>
    readonly findClarification: (questionId: string) => Promise<Clarification | null>
    readonly findReply: (questionId: string) => Promise<{ readonly repliedBy: string | null } | null>
    readonly insert: (rule: ProposedRule) => Promise<boolean>
    readonly newId: () => string
    readonly now: () => Date
  }): ProposeRule =>
  async ({ questionId, outcome, trace }, given) => {
    if (outcome.status !== 'answered') return
    const [question, clarification, replied] = await Promise.all([
      deps.findQuestion(questionId),
      deps.findClarification(questionId),
      deps.findReply(questionId),
    ])
    const repliedBy = replied?.repliedBy ?? null
    if (!question || !clarification || repliedBy === null) return
    // As the run took it: typed words may have named an option.
    const meaning = meaningOf(trace?.reply ?? given, clarification)
    if (meaning === null || !isShortEnough(meaning, question)) return
    await deps.insert({
      ...meaning,
      id: deps.newId(),
      database: parseDatabaseRef(question.database).database,
      questionId,
      question: question.text,
      status: 'proposed',
      proposedBy: repliedBy,
      proposedAt: deps.now(),
      decidedBy: null,
      decidedAt: null,
    })
  }

/** A question stands in its rule only where no phrase does. */
const isShortEnough = ({ phrase, meaning }: RuleMeaning, question: Question): boolean =>
  [phrase ?? question.text, meaning].every(words => words.length <= maxRuleTextLength)

const meaningOf = (reply: ClarificationReply, { options }: Clarification): RuleMeaning | null => {
  if (reply.kind === 'option') return options[reply.number - 1]?.means ?? null
  // What is said to whether something may be run is about no word of the team.
  if (options.some(({ act }) => act !== undefined)) return null
  // Words of one's own are about whatever the options were about.
  const phrases = new Set(options.map(option => option.means?.phrase ?? null))
  const [phrase = null] = phrases
  return {
    phrase: phrases.size === 1 ? phrase : null,
    meaning: onOneLine(reply.text),
    sql: null,
    columns: [],
  }
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Makes resuming that also keeps what the reply said. That it could not be kept is logged, and costs no answer. */
export const makeResumeAndPropose =
  (deps: {
    readonly resume: ResumeQuestion
    readonly propose: ProposeRule
    readonly log: Log
  }): ResumeQuestion =>
  async (questionId, reply, options) => {
    const report = await deps.resume(questionId, reply, options)
    await deps.propose(report, reply).catch((error: unknown) => {
      deps.log.warn({ error, questionId }, 'could not store a proposed rule from a reply')
    })
    return report
  }

/** Makes the use case: an admin accepts or rejects what a reply proposed. Questions see it within seconds. */
export const makeDecideRule =
  (deps: {
    readonly decide: (
      id: string,
      decision: { readonly status: 'accepted' | 'rejected'; readonly by: string | null; readonly at: Date },
    ) => Promise<ProposedRule | null>
    readonly now: () => Date
  }): DecideRule =>
  ({ id, status, by }) =>
    deps.decide(id, { status, by, at: deps.now() })
