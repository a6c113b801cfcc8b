import type { ParserModel } from './model.ts'
import trained from './trained-model.json' with { type: 'json' }

/** The model that ships: its file says on what it was trained and how well it did. */
export const trainedModel: ParserModel = { weights: trained.weights, calibration: trained.calibration }
