import { readFileSync } from 'node:fs'
import type { LabelledGroups } from '../../src/core/selector.ts'
import { labelledGroupsSchema } from '../../src/selection/benchmark/labelled-groups-schema.ts'

/** Labelled groups as JSON lines {id, database, groups, right, weight}. */
export const readGroupsFile = (path: string): readonly LabelledGroups[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => labelledGroupsSchema.parse(JSON.parse(line)))
