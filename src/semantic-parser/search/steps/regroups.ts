import type { SearchState } from '../state.ts'

/** Whether the last word was an "and" behind a group key, so that the next noun may be one more key. */
export const continuesGrouping = ({ pending, trail }: SearchState): boolean =>
  pending.regroup && trail?.item?.kind === 'cue' && trail.item.cue.kind === 'and'
