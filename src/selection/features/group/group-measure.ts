import type { GatheredGroup, Gathering } from './gather-groups.ts'

/** One thing that is measured of an execution group beside the others of its question. */
export interface GroupMeasure {
  /** How it is named in models and reports; never changed, because trained files name it. */
  readonly name: string
  /** What a higher value says, for a person. */
  readonly reason: string
  readonly measure: (group: GatheredGroup, gathering: Gathering) => number
}
