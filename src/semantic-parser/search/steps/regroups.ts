import type { State } from '../state.ts'

/** Whether the last word was an "and" behind a group key, so that the next noun may be one more key. */
export const regroups = ({ pending, trail }: State): boolean =>
  pending.regroup && trail?.item?.kind === 'cue' && trail.item.cue.kind === 'and'
