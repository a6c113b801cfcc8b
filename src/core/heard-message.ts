import type { Place } from './place.ts'

/** A question as a surface hears it. */
export interface AskedInPlace {
  readonly text: string
  readonly place: Place
  readonly askedBy: string
  readonly askedAt: Date
}

/** A message that reached us, with what the surface knows of how it is meant. */
export interface HeardMessage extends AskedInPlace {
  /** It names us, or was said to us alone. */
  readonly addressed: boolean
}

/** What a message was taken for. `known`: it was delivered before. `not-ours`: people talking to each other. */
export type Heard = 'question' | 'reply' | 'known' | 'not-ours'

/** Takes a message in, once, however often it is delivered. Only when it resolves may the surface acknowledge it. */
export type HearMessage = (message: HeardMessage) => Promise<Heard>

/** Stores a question and its job, once. Null when the same place asked before: then nothing happens. */
export type AskQuestion = (asked: AskedInPlace) => Promise<string | null>
