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

/**
 * Stores what a reply said about the team's terms as a proposed rule. Does nothing if the reply said nothing lasting.
 */
type ProposeRule = (report: AnswerReport, reply: ClarificationReply) => Promise<void>

/**
 * Only a person's reply that led to an answer is proposed. A default that was used because nobody replied says nothing.
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
    // The reply as the run understood it: typed words may have named an option.
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

/** A rule contains the question only if it has no phrase. */
const isShortEnough = ({ phrase, meaning }: RuleMeaning, question: Question): boolean =>
  [phrase ?? question.text, meaning].every(words => words.length <= maxRuleTextLength)

const meaningOf = (reply: ClarificationReply, { options }: Clarification): RuleMeaning | null => {
  if (reply.kind === 'option') return options[reply.number - 1]?.means ?? null
  // Agreeing to run something says nothing about a term.
  if (options.some(({ act }) => act !== undefined)) return null
  // Free text is about whatever the options were about.
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

/** Resumes a run and stores what the reply said. A failure to store it is logged and does not affect the answer. */
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

/** Lets an admin accept or reject a proposed rule. Questions use the decision within seconds. */
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
