/** Long work on the way to an answer, as the command line draws it: a share from 0 to 1 of what `doing` names. */
export interface Progress {
  readonly doing: string
  readonly share: number
}

export type OnProgress = (progress: Progress) => void
