import { z } from 'zod'

/** A setting that counts something, with what querent.yml says of it. */
export const countSetting = (
  from: number,
  to: number,
  { description, standard }: { readonly description: string; readonly standard: number },
) =>
  z
    .int()
    .min(from)
    .max(to)
    .default(standard)
    .meta({ description, expects: `a whole number from ${from} to ${to}`, examples: [standard] })

/** A setting that switches a part on or off, such as for an ablation. */
export const switchSetting = (description: string, standard = true) =>
  z
    .boolean()
    .default(standard)
    .meta({ description, expects: 'true or false', examples: [standard] })

/** The temperature of an agent; null leaves it to the model's own setting. */
export const temperatureSetting = (description: string, standard: number | null = null) =>
  z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(standard)
    .meta({ description, expects: 'a number from 0 to 2, or null', examples: [standard ?? 0] })

/** Which model an agent asks, by the agent's name; the model of its role if left out. */
export const agentModelsSetting = <Agent extends string>(agents: readonly [Agent, ...Agent[]]) =>
  z
    .partialRecord(z.enum(agents), z.string().min(1))
    .default({})
    .meta({
      description: `The models of single agents (${agents.join(', ')}). Default: the model of the role.`,
      expects: 'names of models by the names of agents',
      examples: [{ [agents[0]]: 'gpt-5-mini' }],
    })

/** How often the published system was right, as the confidence of an answer that nothing else rates: 0 to 1. */
export const confidenceSetting = (standard: number, source: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(standard)
    .meta({
      description: `The confidence of an answer whose statement ran without a problem. Default: ${source}.`,
      expects: 'a number from 0 to 1',
      examples: [standard],
    })
