import type { AskForKeywords, Keyword } from '../core/keyword.ts'
import { foldText } from '../lib/fold-text.ts'
import type { AskModel } from './ask-model.ts'
import type { OutputOf } from './outputs.ts'

/** Each is a lookup; a question names a handful of things. */
const maxPhrases = 20
const maxSpellings = 6

/** The longest value that the index holds. */
const maxPhraseLength = 120

/** A model's guess at a spelling is worth a little less than what the question says. */
const defaultPhraseWeight = 0.9

/** Makes the asker for keywords: phrases as the question has them, and their other spellings. */
export const makeAskForKeywords =
  (askModel: AskModel): AskForKeywords =>
  async ({ question, tables, ...request }) => {
    const { value, usage } = await askModel(
      { ...request, role: 'keywords', prompt: 'extract-keywords', variables: { tables, question } },
      ['keywords'],
    )
    return {
      value: value.phrases.slice(0, maxPhrases).flatMap(phrase => toKeywords(phrase, question)),
      usage,
    }
  }

type Phrase = OutputOf<'keywords'>['phrases'][number]

/** A phrase that the question does not have is a guess too, and is said in the model's words. */
const toKeywords = ({ phrase, spellings }: Phrase, question: string): readonly Keyword[] => {
  const said = phrase.trim()
  const isSaid = foldText(question).includes(foldText(said))
  return [said, ...spellings.slice(0, maxSpellings).map(spelling => spelling.trim())]
    .filter(text => text !== '' && text.length <= maxPhraseLength)
    .map((text, at) => ({
      text,
      said,
      source: 'model',
      weight: isSaid && at === 0 ? 1 : defaultPhraseWeight,
    }))
}
