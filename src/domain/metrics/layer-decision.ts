/** What a proposal of the semantic layer is. */
export type ProposalKind = 'metric' | 'segment'

/** Names a proposal. */
export interface ProposalKey {
  /** As in `Database.name`. */
  readonly database: string
  readonly kind: ProposalKind
  /** Unique among the metrics, or segments, of the layer. */
  readonly name: string
}

/** A proposed metric or segment, as an admin sees it. */
export interface LayerProposal extends ProposalKey {
  readonly label: string
  readonly synonyms: readonly string[]
  /** What it is, in words: "sum of total of orders". */
  readonly meaning: string
}

/**
 * What an admin decided about a proposal. Decisions are never changed or deleted: the last one about a proposal counts,
 * and those before it say who decided what.
 */
export interface LayerDecision extends ProposalKey {
  readonly id: string
  readonly status: 'accepted' | 'rejected'
  /** What was decided about, as a file of the semantic layer would say it. */
  readonly definition: string
  /** The tables of the models that the definition names, since a file may give models other names later. */
  readonly tables: Readonly<Record<string, string>>
  readonly decidedBy: string | null
  readonly decidedAt: Date
}

/** The last decision about each proposal of a database. */
export type ListLayerDecisions = (database: string) => Promise<readonly LayerDecision[]>

/** Accepts a proposal, perhaps under other words, or rejects it. Questions use the decision within seconds. */
export type DecideProposal = (
  given: ProposalKey & {
    readonly decision:
      | { readonly status: 'accepted'; readonly words?: ProposalWords }
      | { readonly status: 'rejected' }
    readonly by: string | null
  },
) => Promise<
  | { readonly status: 'decided'; readonly label: string }
  /** It is not proposed any more: somebody decided, a file says what it is, or the database has changed. */
  | { readonly status: 'gone' }
  /** Something else has that label. */
  | { readonly status: 'taken'; readonly label: string }
>

/** What people call a proposal. */
export interface ProposalWords {
  readonly label: string
  readonly synonyms: readonly string[]
}

/** Finds a proposal; null if it is not proposed any more. */
export type FindProposal = (key: ProposalKey) => Promise<LayerProposal | null>
