/**
 * Where a question stands. `queued` and `working` will go on by themselves, `waiting` needs a reply,
 * `stopping` is being cancelled; the rest are ends.
 */
export type QuestionStatus =
  | 'queued'
  | 'working'
  | 'waiting'
  | 'stopping'
  | 'answered'
  | 'refused'
  | 'failed'
  | 'stopped'

/** A question as asked. `key` is unique per place and moment (`team:channel:ts` in Slack, `cli:<id>` in a shell). */
export interface Question {
  readonly id: string
  readonly key: string
  readonly text: string
  readonly database: string
  readonly askedAt: Date
  readonly timeZone: string
  readonly askedBy: string | null
  /** Who pressed for it to be run, where that is not who asked: it is run with the asker's rights, on this account. */
  readonly runBy?: string
  /** The question before it, for one that was asked in no thread; others are found by their place. */
  readonly follows?: string
  /** Its rows are to be read anew: no answer of a while ago will do. */
  readonly fresh?: true
}
