import type { AskForExamples, ExampleQuery } from '../core/example-query.ts'
import type { AskModel } from './ask-model.ts'
import { cleanSql } from './clean-sql.ts'

/** Each is run before it is shown; more than these add nothing to a prompt. */
const maxExamplesPerKind = 8

/** Makes the asker for examples of one database. */
export const makeAskForExamples =
  (askModel: AskModel): AskForExamples =>
  async request => {
    const { value, usage } = await askModel(request, ['examples'])
    return { value: { features: cleanExample(value.features), focused: cleanExample(value.focused) }, usage }
  }

const cleanExample = (examples: readonly ExampleQuery[]): readonly ExampleQuery[] =>
  examples
    .map(({ question, sql }) => ({ question: question.replace(/\s+/g, ' ').trim(), sql: cleanSql(sql) }))
    .filter(({ question, sql }) => question !== '' && sql !== '')
    .slice(0, maxExamplesPerKind)
