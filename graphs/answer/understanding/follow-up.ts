import type {
  ClassifiedMessage,
  ConversationTurn,
  FollowUp,
  FollowUpInterpretation,
  PreviousAnswer,
  Transcript,
} from '../../../src/domain/conversation.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { ChangeProblem } from '../../../src/domain/interpretation.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { Understanding } from '../../../src/domain/question-context.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import type { NodeRun, OpenDatabase, UnderstandingDeps } from '../deps.ts'
import type { AskedQuestion } from '../state.ts'
import { withLiveValues } from './live-values.ts'
import { outlineForThread, previousAnswer } from './thread-context.ts'

/** A message as it is meant in its thread, or why there is nothing to answer. */
export type MessageInterpretation =
  | {
      readonly kind: 'question'
      readonly understanding: Understanding
      /** It asks why a number of the answer before is what it is. */
      readonly isWhy?: true
      readonly usage: ModelUsage
    }
  | {
      readonly kind: 'unreadable'
      readonly problem: ChangeProblem
      readonly examples: readonly string[]
      readonly usage: ModelUsage
    }
  /** It asks for nothing. */
  | { readonly kind: 'small-talk'; readonly usage: ModelUsage }

/** What reading a message in its thread takes. Without `loadTranscript` every message is the first of its thread. */
export interface ThreadDeps
  extends Pick<UnderstandingDeps, 'understand' | 'loadTranscript' | 'readFollowUp' | 'askForRewrite'> {
  readonly database: OpenDatabase
}

/**
 * Reads a message of data in its thread. Rules decide what they are sure of: a change in plain words, and a question why.
 * Any other message goes to the model in one call; without one, or if it fails, the rules decide all the same.
 */
export const interpretMessage = async (
  question: AskedQuestion,
  asked: Understanding,
  deps: ThreadDeps,
  run: NodeRun,
): Promise<MessageInterpretation> => {
  const transcript = await deps.loadTranscript?.(question.id)
  if (!transcript || transcript.turns.length === 0)
    return { kind: 'question', understanding: asked, usage: noModelUsage }
  const read = await readInThread(question, transcript, deps, run)
  if (read === null) return { kind: 'question', understanding: asked, usage: noModelUsage }
  return read.byModel === null ? byRules(read, question, asked, deps) : byModel(read, question, asked, deps)
}

/**
 * A question that was asked back about: as it was read, its options, and the one that stands if a reply takes none.
 */
export interface PendingQuestion {
  readonly turn: ConversationTurn & { readonly askedBack: string }
  readonly option: string
}

/**
 * Reads a typed reply that takes none of the options: a change of the question, of which the default option stands, or
 * another question. Null if its words only add to the question.
 */
export const interpretReply = async (
  reply: AskedQuestion,
  asked: Understanding,
  { turn, option }: PendingQuestion,
  deps: ThreadDeps,
  run: NodeRun,
): Promise<{ readonly read: MessageInterpretation | null; readonly usage: ModelUsage }> => {
  const before = (await deps.loadTranscript?.(reply.id)) ?? { turns: [], comments: [] }
  const read = await readInThread(reply, { ...before, turns: [...before.turns, turn] }, deps, run)
  if (read === null) return { read: null, usage: noModelUsage }
  const { usage, rules } = read
  if (read.byModel !== null) {
    const isQuestion = read.byModel.kind === 'follow-up' || read.byModel.kind === 'new-question'
    return { read: isQuestion ? byModel(read, reply, asked, deps) : null, usage }
  }
  const isQuestion = rules.kind === 'edit' ? rules.isSure : rules.kind === 'new' && rules.isWhole
  if (!isQuestion) return { read: null, usage }
  const understood = byRules(read, reply, asked, deps)
  if (understood.kind !== 'question' || rules.kind !== 'edit' || regroups(rules))
    return { read: understood, usage }
  return {
    read: { ...understood, understanding: { ...understood.understanding, assumedOption: option } },
    usage,
  }
}

type Edit = Extract<FollowUpInterpretation, { readonly kind: 'edit' }>

/** Other groups or figures leave nothing of what was asked back about. */
const regroups = ({ readings }: Edit): boolean =>
  readings[0]?.assumptions.some(
    assumption =>
      assumption.kind === 'follow-up' &&
      assumption.changes.some(
        change => (change.kind === 'group' || change.kind === 'metric') && !change.isAdded,
      ),
  ) ?? false

/** How rules read a message, and what the model says of it if they are not sure; null without a model and if it failed. */
interface ReadMessage {
  readonly rules: FollowUpInterpretation
  readonly byModel: ClassifiedMessage | null
  readonly followUp: FollowUp
  readonly previous: PreviousAnswer
  readonly usage: ModelUsage
}

const readInThread = async (
  question: AskedQuestion,
  transcript: Transcript,
  deps: ThreadDeps,
  run: NodeRun,
): Promise<ReadMessage | null> => {
  const turn = transcript.turns.at(-1)
  if (!turn || !deps.readFollowUp) return null
  const followUp = followUpOf(question.text, question.askedAt, turn)
  const opened = await deps.database(question.database, run)
  const { catalog, findValues, semanticLayer } = await withLiveValues(
    opened,
    { text: question.text, followUp },
    run,
  )
  const { timeZone } = question
  const layer = semanticLayer ? { semanticLayer } : {}
  const rules = deps.readFollowUp({ followUp, catalog, findValues, timeZone, ...layer })
  const previous = previousAnswer(turn, catalog)
  const isSure = rules.kind === 'breakdown' || (rules.kind === 'edit' && rules.isSure === true)
  const read = { rules, followUp, previous }
  if (isSure || !deps.askForRewrite) return { ...read, byModel: null, usage: noModelUsage }
  try {
    const { value, usage } = await deps.askForRewrite({
      message: question.text,
      transcript,
      columns: previous.columns,
      tables: outlineForThread(catalog, turn.sql),
      questionId: question.id,
      ...(run.signal ? { signal: run.signal } : {}),
    })
    return { ...read, byModel: value, usage }
  } catch (error) {
    run.signal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    run.writer?.({ step: 'understand', detail: `Reading the thread without the model: ${error.message}` })
    // A call that failed was still paid for.
    return { ...read, byModel: null, usage: addModelUsage(noModelUsage, error.usage) }
  }
}

const byRules = (
  { rules, followUp, previous, usage }: ReadMessage,
  question: AskedQuestion,
  asked: Understanding,
  deps: ThreadDeps,
): MessageInterpretation => {
  switch (rules.kind) {
    case 'new':
      return { kind: 'question', understanding: asked, usage }
    case 'remark':
      return { kind: 'small-talk', usage }
    case 'unreadable':
      return { kind: 'unreadable', problem: rules.problem, examples: rules.examples, usage }
    case 'breakdown':
    case 'edit': {
      const understanding = { ...understandAgain(rules.text, question, deps), followUp, previous }
      return rules.kind === 'breakdown'
        ? { kind: 'question', understanding, isWhy: true, usage }
        : {
            kind: 'question',
            understanding: { ...understanding, ...(rules.show ? { show: rules.show } : {}) },
            usage,
          }
    }
    default: {
      const never: never = rules
      return never
    }
  }
}

const byModel = (
  { rules, byModel, previous, usage }: ReadMessage,
  question: AskedQuestion,
  asked: Understanding,
  deps: ThreadDeps,
): MessageInterpretation => {
  const { kind = 'unclear', question: written = '' } = byModel ?? {}
  const text = written.trim()
  switch (kind) {
    case 'follow-up':
      if (text === '') return unclear(rules, usage)
      return {
        kind: 'question',
        understanding: { ...understandAgain(text, question, deps), rewritten: true, previous },
        usage,
      }
    case 'new-question':
      return {
        kind: 'question',
        understanding: isPartOf(text, question.text) ? understandAgain(text, question, deps) : asked,
        usage,
      }
    case 'small-talk':
      return { kind: 'small-talk', usage }
    case 'unclear':
      return unclear(rules, usage)
    default: {
      const never: never = kind
      return never
    }
  }
}

/** Rules may know what is missing, and what can be changed instead. */
const unclear = (rules: FollowUpInterpretation, usage: ModelUsage): MessageInterpretation =>
  rules.kind === 'unreadable'
    ? { kind: 'unreadable', problem: rules.problem, examples: rules.examples, usage }
    : { kind: 'unreadable', problem: { code: 'unclear' }, examples: [], usage }

/** A new question stands in the message, with talk around it at most. */
const isPartOf = (text: string, message: string): boolean => {
  const part = wordsOf(text)
  return part !== '' && ` ${wordsOf(message)} `.includes(` ${part} `)
}

const wordsOf = (text: string): string => (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

const understandAgain = (
  text: string,
  question: AskedQuestion,
  { understand }: ThreadDeps,
): Understanding => ({
  ...understand(text, { now: () => new Date(question.askedAt), timeZone: question.timeZone }),
  kind: 'data',
})

/** Changes that are traced back at most; what is older is taken as the question that it was read as. */
const LONGEST_CHAIN = 8

/** A message as a change of a question. `askedAt` is ISO. */
const followUpOf = (said: string, askedAt: string, turn: ConversationTurn): FollowUp => {
  const own = { askedAt: turn.askedAt.toISOString(), sql: turn.sql }
  const chain =
    turn.chain.length > 0
      ? [...turn.chain, { text: turn.changedBy ?? turn.originalText, ...own }]
      : [{ text: turn.text, ...own }]
  // A chain that has lost its beginning cannot be read again: then the words have to do.
  const kept = chain.length > LONGEST_CHAIN ? [{ text: turn.text, ...own }] : chain
  return { said, askedAt, before: turn.text, chain: kept, confidence: turn.confidence }
}
