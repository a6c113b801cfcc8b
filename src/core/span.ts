/** Facts about a stretch of work, for whoever watches many of them. Counts and names, never rows. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** A stretch of work under way. */
export interface Span {
  /** Adds what is known only at its end. */
  set(facts: SpanFacts): void
}

/** Does the work within a span of this name; spans begun meanwhile belong to it. Rejects as the work does. */
export type InSpan = <T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>) => Promise<T>

/** No spans: the work alone. */
export const withoutSpans: InSpan = (_name, _facts, work) => work({ set: () => {} })
