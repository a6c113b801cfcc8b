import type { ConversationTurn, FollowUp, Transcript } from '../../../src/domain/conversation.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { ChangeProblem } from '../../../src/domain/interpretation.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { Understanding } from '../../../src/domain/question-context.ts'
import type { NodeRun, OpenDatabase, UnderstandingDeps } from '../deps.ts'
import type { AskedQuestion } from '../state.ts'

/** A message as it is meant in its thread, or why a change that was meant cannot be made. */
type MessageInterpretation =
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

/** What reading a message in its thread takes. Without `loadTranscript` every message is the first of its thread. */
interface ThreadDeps
  extends Pick<UnderstandingDeps, 'understand' | 'loadTranscript' | 'readFollowUp' | 'askForRewrite'> {
  readonly database: OpenDatabase
}

/**
 * Reads a message of data in its thread. A change that the rules read to the last word needs no model; for the rest the
 * model rewrites it from the transcript, and if it cannot, what the rules made of it stands.
 */
export const interpretMessage = async (
  question: AskedQuestion,
  asked: Understanding,
  deps: ThreadDeps,
  run: NodeRun,
): Promise<MessageInterpretation> => {
  const plain: MessageInterpretation = { kind: 'question', understanding: asked, usage: noModelUsage }
  const transcript = await deps.loadTranscript?.(question.id)
  const turn = transcript?.turns.at(-1)
  if (!transcript || !turn || !deps.readFollowUp) return plain
  const { catalog, findValues, semanticLayer } = await deps.database(question.database, run)
  const followUp = followUpOf(question.text, question.askedAt, turn)
  const { timeZone } = question
  const layer = semanticLayer ? { semanticLayer } : {}
  const read = deps.readFollowUp({ followUp, catalog, findValues, timeZone, ...layer })
  if (read.kind === 'new') return plain
  if (read.kind === 'breakdown') {
    const understanding = { ...understandAgain(read.text, question, deps), followUp }
    return { kind: 'question', understanding, isWhy: true, usage: noModelUsage }
  }
  const isSure = read.kind === 'edit' && (read.readings[0]?.unused.length ?? 1) === 0
  const rewritten = isSure ? null : await rewrite(question, transcript, deps, run)
  const usage = rewritten?.usage ?? noModelUsage
  if (rewritten?.understanding) return { kind: 'question', understanding: rewritten.understanding, usage }
  if (rewritten?.isNew) return { ...plain, usage }
  if (read.kind === 'unreadable') return { ...read, usage }
  const understood = understandAgain(read.text, question, deps)
  const understanding = { ...understood, followUp, ...(read.show ? { show: read.show } : {}) }
  return { kind: 'question', understanding, usage }
}

const understandAgain = (
  text: string,
  question: AskedQuestion,
  { understand }: ThreadDeps,
): Understanding => ({
  ...understand(text, { now: () => new Date(question.askedAt), timeZone: question.timeZone }),
  kind: 'data',
})

/** What a model makes of it; null without a model, and where it fails. Throws only when the question was stopped. */
const rewrite = async (
  question: AskedQuestion,
  transcript: Transcript,
  deps: ThreadDeps,
  run: NodeRun,
): Promise<{ understanding: Understanding | null; isNew: boolean; usage: ModelUsage } | null> => {
  if (!deps.askForRewrite) return null
  try {
    const { value, usage } = await deps.askForRewrite({
      message: question.text,
      transcript,
      questionId: question.id,
      ...(run.signal ? { signal: run.signal } : {}),
    })
    const isNew = value.kind === 'new-question'
    const text = value.question.trim()
    if (value.kind !== 'follow-up' || text === '') return { understanding: null, isNew, usage }
    return { understanding: { ...understandAgain(text, question, deps), rewritten: true }, isNew, usage }
  } catch (error) {
    run.signal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    run.writer?.({ step: 'understand', detail: `Reading the thread without the model: ${error.message}` })
    // A call that failed was still paid for.
    return { understanding: null, isNew: false, usage: addModelUsage(noModelUsage, error.usage) }
  }
}

/** Changes that are traced back at most; what is older is taken as the question that it was read as. */
const LONGEST_CHAIN = 8

/** A message as a change of an answered question. `askedAt` is ISO. */
const followUpOf = (said: string, askedAt: string, turn: ConversationTurn): FollowUp => {
  const own = { askedAt: turn.askedAt.toISOString(), sql: turn.sql }
  const chain =
    turn.chain.length > 0
      ? [...turn.chain, { text: turn.originalText, ...own }]
      : [{ text: turn.text, ...own }]
  // A chain that has lost its beginning cannot be read again: then the words have to do.
  const kept = chain.length > LONGEST_CHAIN ? [{ text: turn.text, ...own }] : chain
  return { said, askedAt, before: turn.text, chain: kept, confidence: turn.confidence }
}
