import type { Keyword } from '../../../src/core/keyword.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { calendarForm } from '../../../src/lib/lexicon/calendar-forms.ts'
import { codeValues } from '../../../src/lib/lexicon/code-values.ts'
import { regionForms } from '../../../src/lib/lexicon/regions.ts'
import { subdivisionCodes } from '../../../src/lib/lexicon/subdivision-codes.ts'
import { toSingular } from '../../../src/lib/to-singular.ts'

const FORM_WEIGHT = 0.9

const codeOfSubdivision: ReadonlyMap<string, string> = new Map(
  [...subdivisionCodes].map(([code, name]) => [foldText(name), code]),
)

/**
 * Other forms in which databases hold what a span says: countries by their people and codes, states by their postal
 * codes, months and days by their short names, and what is kept as a letter (`female`: F).
 */
export const findForms = (spans: readonly Keyword[]): readonly Keyword[] =>
  spans.flatMap(({ text }) => {
    const folded = foldText(text)
    const singular = toSingular(folded)
    const subdivision = subdivisionCodes.get(text) ?? codeOfSubdivision.get(folded)
    const calendar = calendarForm(text)
    const forms = [
      ...regionForms(text),
      ...(singular === folded ? [] : regionForms(singular)),
      ...(subdivision === undefined ? [] : [subdivision]),
      ...(calendar === null ? [] : [calendar]),
    ].map((form): Keyword => ({ text: form, said: text, source: 'form', weight: FORM_WEIGHT }))
    const codes = (codeValues.get(folded) ?? codeValues.get(singular) ?? [])
      .filter(code => code !== folded)
      .map((code): Keyword => ({ text: code, said: text, source: 'code', weight: FORM_WEIGHT }))
    return [...forms, ...codes]
  })
