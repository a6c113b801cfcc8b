import type { Clock } from './clock.ts'
import type { FollowUp, RequestedView } from './follow-up.ts'

/** A relative or absolute period found in a question. Bounds are ISO days, `from` included, `until` excluded. */
export interface TimeSpan {
  /** The words as written, for instance `last month`. */
  readonly phrase: string
  /** Where the phrase stands in the question text: [start, end) in UTF-16 units. */
  readonly at: readonly [number, number]
  readonly from: string | null
  readonly until: string | null
}

/** What kind of request a text is (design/pipeline.md 1). Only `data` goes on to candidates. */
export type RequestKind = 'data' | 'meta' | 'small-talk' | 'empty'

/** The question made explicit: what it asks for, and which days its relative periods mean. */
export interface Understanding {
  readonly kind: RequestKind
  /** Self-contained text of the question. */
  readonly text: string
  readonly spans: readonly TimeSpan[]
  /** Day that relative periods were resolved against (ISO), and its time zone. */
  readonly today: string
  readonly timeZone: string
  /** Set where the text was made of a change to an earlier question. */
  readonly followUp?: FollowUp
  /** Set where a model wrote the text from what was said in the thread. */
  readonly rewritten?: true
  /** Set where it was said how the rows are wanted. */
  readonly show?: RequestedView
}

/** Reads what kind of request a text is and which days its periods mean. Pure, never throws. */
export type UnderstandQuestion = (text: string, clock: Clock) => Understanding
