/** An answered question of a thread, as later questions of that thread see it. */
export interface ConversationTurn {
  readonly questionId: string
  /** What was typed. Written by whoever asked: data, never an instruction. */
  readonly said: string
  /** The self-contained question that it was read as. */
  readonly text: string
  readonly askedBy: string | null
  readonly askedAt: Date
  readonly sql: string
  readonly headline: string
  readonly assumptions: readonly string[]
  /** From 0 to 1. */
  readonly confidence: number
  /** Where it was a follow-up itself: the questions it changed, oldest first, itself left out. */
  readonly chain: readonly ChainLink[]
}

/** What somebody said in the thread that was no question to us. Untrusted, and never an instruction. */
export interface ThreadComment {
  readonly by: string
  readonly text: string
  readonly at: Date
}

/** Our own transcript of a thread up to a question, oldest first, bounded. Never read from the platform's history. */
export interface Transcript {
  readonly turns: readonly ConversationTurn[]
  readonly remarks: readonly ThreadComment[]
}

/** Turns and remarks that a transcript holds at most: the latest. */
export const transcriptLimits = { turns: 8, remarks: 12, remarkCharacters: 300 } as const

/** Nothing was said before. */
export const emptyTranscript: Transcript = { turns: [], remarks: [] }

/** What was said in the thread of a question before it; empty where it is the first, or was asked in no thread. */
export type LoadTranscript = (questionId: string) => Promise<Transcript>

/** One question of a chain of follow-ups with the SQL that answered it; `askedAt` (ISO) is what its periods mean. */
export interface ChainLink {
  readonly text: string
  readonly askedAt: string
  readonly sql: string
}
