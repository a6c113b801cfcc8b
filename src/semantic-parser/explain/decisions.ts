import type { Decision } from '../../core/reading.ts'
import type { DraftReading } from '../read-question.ts'

export const decisionsOf = (_draft: DraftReading, _all: readonly DraftReading[]): readonly Decision[] => []
