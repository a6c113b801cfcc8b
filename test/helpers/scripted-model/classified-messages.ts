import type { ClassifiedMessage } from '../../../src/domain/conversation.ts'
import type { ScriptedQuestion } from './scripted-replies.ts'

/** A message of a thread, the question before it, and what a model says of it. */
export interface ClassifiedInThread extends ClassifiedMessage {
  readonly first: string
  readonly said: string
}

/** Written classifications as an endpoint plays them: each for one message after its own question, and for nothing else. */
export const classifiedMessages = (messages: readonly ClassifiedInThread[]): readonly ScriptedQuestion[] =>
  messages.map(({ first, said, kind, question }) => ({
    file: said,
    written: 'by hand',
    question: '',
    right: null,
    modes: [],
    replies: [
      {
        role: 'rewriter',
        prompt: 'rewrite-follow-up',
        attempt: 'any',
        where: { message: said, thread: `asked: ${first}\n` },
        reply: { kind, question },
      },
    ],
  }))
