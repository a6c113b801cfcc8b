import type { Understanding } from '../../core/understanding.ts'
import type { DraftReading } from '../read-question.ts'

export const assumptionsOf = (_draft: DraftReading, _understanding: Understanding): readonly string[] => []
