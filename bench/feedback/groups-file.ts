import { readFileSync } from 'node:fs'
import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { labeledGroupsSchema } from '../../src/ranking/learning/shipped-benchmark.ts'

/** Labelled groups as JSON lines {id, database, groups, right, weight}. */
export const readGroupsFile = (path: string): readonly LabeledGroups[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => labeledGroupsSchema.parse(JSON.parse(line)))
