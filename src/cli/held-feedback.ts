import Table from 'cli-table3'
import { teachExpertsFrom, weighFeedbackFor } from '../bootstrap/weigh-feedback.ts'
import { QuerentError } from '../domain/errors.ts'
import type { AnswerFeedback, FeedbackReview } from '../domain/feedback.ts'
import { makeReviewHeld } from '../feedback/review-held.ts'
import type { WeighedFeedback } from '../ranking/learning/weigh-feedback.ts'
import { type CommandContext, currentPerson, shortId } from './command-context.ts'
import { heldCopy as copy } from './copy/feedback.ts'
import { writeJson } from './terminal.ts'

interface HeldOptions {
  readonly person?: string
  /** The id of a question, or its start. */
  readonly question?: string
  readonly json?: boolean
}

/** `feedback held`: votes that train nothing until an admin decides, and why. */
export const runFeedbackHeld = async (options: HeldOptions, context: CommandContext): Promise<number> => {
  const { weighed } = await weighStored(context)
  const { terminal } = context
  context.clearProgress()
  if (options.json) writeJson(terminal.out, weighed.held.map(heldToJson))
  else if (weighed.held.length === 0) terminal.out.write(`${copy.none}\n`)
  else terminal.out.write(`${heldTable(weighed.held)}\n${copy.whatToDo}\n`)
  return 0
}

/** `feedback accept PERSON`: lets what is held of a person train. */
export const runFeedbackAccept = (options: HeldOptions, context: CommandContext): Promise<number> =>
  decide('accepted', options, context)

/** `feedback drop PERSON`: what is held of a person never trains. */
export const runFeedbackDrop = (options: HeldOptions, context: CommandContext): Promise<number> =>
  decide('dropped', options, context)

/** `feedback voters`: what each person's word weighs, lowest first. */
export const runFeedbackVoters = async (options: HeldOptions, context: CommandContext): Promise<number> => {
  const { weighed } = await weighStored(context)
  const voters = [...weighed.voters]
    .map(([person, weight]) => ({
      person,
      weight,
      held: weighed.held.filter(one => one.person === person).length,
    }))
    .sort((a, b) => a.weight - b.weight || (a.person < b.person ? -1 : 1))
  const { terminal } = context
  context.clearProgress()
  if (options.json) writeJson(terminal.out, voters)
  else if (voters.length === 0) terminal.out.write(`${copy.noVoters}\n`)
  else {
    const table = new Table({
      style: tableStyle,
      head: [...copy.voterHead],
      colAligns: ['left', 'right', 'right'],
    })
    for (const { person, weight, held } of voters) table.push([person, weight.toFixed(2), held])
    terminal.out.write(`${table.toString()}\n`)
  }
  return 0
}

const weighStored = async (
  context: CommandContext,
): Promise<{ readonly feedback: readonly AnswerFeedback[]; readonly weighed: WeighedFeedback }> => {
  const { store } = await context.resources.ownStore()
  const feedback = await store.repositories.feedback.list()
  return { feedback, weighed: weighFeedbackFor(context.config)(feedback) }
}

const decide = async (
  decision: FeedbackReview['decision'],
  { person = '', question, json }: HeldOptions,
  context: CommandContext,
): Promise<number> => {
  const { config, resources, terminal, log, now } = context
  const { store } = await resources.ownStore()
  const { feedback, weighed } = await weighStored(context)
  // What was decided before can be decided otherwise.
  const decided = feedback.filter(({ reviews }) => reviews.some(review => review.person === person))
  const waiting = weighed.held.filter(one => one.person === person)
  const questionIds = [...new Set([...waiting, ...decided].map(({ questionId }) => questionId))].filter(id =>
    id.startsWith(question ?? ''),
  )
  if (questionIds.length === 0) throw new QuerentError('bad-arguments', copy.nothingHeld(person))
  const review = makeReviewHeld({
    review: (ids, given) => store.repositories.voters.review(ids, given),
    teachExperts: teachExpertsFrom(store, config, log),
    now: () => now,
  })
  const count = await review({ person, questionIds, decision, by: currentPerson() })
  context.clearProgress()
  if (json) writeJson(terminal.out, { person, decision, questionIds })
  else terminal.out.write(`${copy[decision](person, count)}\n`)
  return 0
}

const heldToJson = ({ questionId, person, claim, reason, givenAt }: WeighedFeedback['held'][number]) => ({
  questionId,
  person,
  says: claim.kind,
  reason,
  givenAt: givenAt.toISOString(),
})

const tableStyle = { head: [], border: [], compact: true }

const heldTable = (held: WeighedFeedback['held']): string => {
  const table = new Table({ style: tableStyle, head: [...copy.head] })
  for (const { questionId, person, claim, reason, givenAt } of held)
    table.push([
      shortId(questionId),
      person,
      copy.claims[claim.kind],
      copy.reasons[reason],
      givenAt.toISOString().slice(0, 16).replace('T', ' '),
    ])
  return table.toString()
}
