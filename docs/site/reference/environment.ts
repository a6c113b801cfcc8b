import { environmentSchema, variableNames } from '../../../src/config/environment-variables.ts'
import { asSentence, linkPages, pageStart } from './markdown.ts'

/** The page of all environment variables. */
export const environmentPage = (): string =>
  [
    ...pageStart(
      'Environment variables',
      'Every variable that Querent reads, from the environment or from `.env` ' +
        '([configuration.md](../configuration.md#environment)). None is required.',
    ),
    ...variableNames.flatMap(name => {
      const { description = '', expects = '', examples, secret } = environmentSchema.shape[name].meta() ?? {}
      const [first] = Array.isArray(examples) ? examples : []
      const example = secret || first === undefined ? '' : ` Example: \`${name}=${first}\`.`
      return [
        '',
        `## \`${name}\``,
        '',
        linkPages(description),
        '',
        `${asSentence(`Must be ${expects}`)}${example}`,
      ]
    }),
    '',
  ].join('\n')
