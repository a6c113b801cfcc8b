/** Which element of a message or view somebody used: by its action id, or by the words on it. */
export interface Click {
  /** User id. */
  readonly by: string
  readonly on: { readonly channel: string; readonly ts: string } | { readonly viewId: string }
  readonly actionId?: string
  /** What a button says, or is called for screen readers. */
  readonly label?: string
  /** The value of the chosen option; `positive` or `negative` on feedback buttons; several for checkboxes. */
  readonly choice?: string | readonly string[]
  /** A button of a message with this action id and value, whether or not the message has it: what nobody could click. */
  readonly forged?: { readonly actionId: string; readonly value: string }
}

/** What became of a click, a command or a closed view. Only `acknowledged` is what people want to see. */
export interface InteractionResult {
  readonly outcome: 'acknowledged' | 'refused' | 'timed-out' | 'unreachable'
  readonly status: number | null
  readonly ms: number
}

/** What a person filled into a modal: by block id, text or the values of the chosen options. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** What became of a modal that was submitted. Errors are by block id and leave it open. */
export type SubmitResult =
  | { readonly outcome: 'closed' | 'updated' | 'pushed' | 'cleared' }
  | { readonly outcome: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly outcome: 'failed'; readonly problem: string }
