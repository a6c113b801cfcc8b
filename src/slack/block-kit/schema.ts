import { z } from 'zod'

/** Slack's limits, in characters or pieces, as its documentation and its own SDK types state them (2026-11). */
export const slackLimits = {
  blocksPerMessage: 50,
  blocksPerView: 100,
  messageText: 40_000,
  /** Undocumented: `msg_blocks_too_long` was seen at about 13,200 characters of block JSON; we stay well below. */
  blocksJson: 12_000,
  sectionText: 3_000,
  sectionFields: 10,
  sectionField: 2_000,
  headerText: 150,
  markdownText: 12_000,
  buttonText: 75,
  buttonValue: 2_000,
  actionElements: 25,
  contextElements: 10,
  contextActionElements: 5,
  feedbackValue: 2_000,
  accessibilityLabel: 75,
  tableRows: 100,
  tableColumns: 20,
  /** With the header. */
  dataTableRows: 101,
  dataTablePage: 100,
  /** Undocumented; a longer caption would be a paragraph. */
  dataTableCaption: 200,
  chartTitle: 50,
  /** Of categories, segments and names of series. */
  chartLabel: 20,
  chartPoints: 20,
  chartSeries: 6,
  pieSegments: 6,
  chartsPerMessage: 2,
  /** Characters of all cells of one message together. */
  tableCharacters: 10_000,
  tablesPerMessage: 1,
  optionText: 75,
  optionValue: 150,
  overflowOptions: 5,
  selectOptions: 100,
  inputLabel: 2_000,
  placeholder: 150,
  plainTextInput: 3_000,
  modalTitle: 24,
  modalButton: 24,
  privateMetadata: 3_000,
  callbackId: 255,
  actionId: 255,
  blockId: 255,
  suggestedPrompts: 4,
  /** Undocumented; a prompt looks like a button. */
  promptTitle: 75,
  /** As long as the title of an agent session, which is documented. */
  threadTitle: 200,
  imageAltText: 2_000,
  imageTitle: 2_000,
} as const

/**
 * The blocks and elements that Querent sends, each with Slack's own limits. Anything else is refused: a block that
 * nobody checked is a block that Slack may drop together with the answer.
 */

const plainText = (most: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  })

const mrkdwn = (most: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(most),
    verbatim: z.boolean().optional(),
  })

const actionId = z.string().min(1).max(slackLimits.actionId)

const blockId = z.string().min(1).max(slackLimits.blockId).optional()

const confirm = z.strictObject({
  title: plainText(100),
  text: z.union([plainText(300), mrkdwn(300)]),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
})

const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(slackLimits.buttonText),
  action_id: actionId,
  value: z.string().max(slackLimits.buttonValue).optional(),
  url: z.string().max(3_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: confirm.optional(),
  accessibility_label: z.string().max(slackLimits.accessibilityLabel).optional(),
})

const option = z.strictObject({
  text: z.union([plainText(slackLimits.optionText), mrkdwn(slackLimits.optionText)]),
  value: z.string().min(1).max(slackLimits.optionValue),
  description: plainText(slackLimits.optionText).optional(),
})

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId,
  options: z.array(option).min(1).max(slackLimits.overflowOptions),
})

const staticSelect = z.strictObject({
  type: z.literal('static_select'),
  action_id: actionId,
  placeholder: plainText(slackLimits.placeholder).optional(),
  options: z.array(option).min(1).max(slackLimits.selectOptions),
  initial_option: option.optional(),
})

const radioButtons = z.strictObject({
  type: z.literal('radio_buttons'),
  action_id: actionId,
  options: z.array(option).min(1).max(10),
  initial_option: option.optional(),
})

const checkboxes = z.strictObject({
  type: z.literal('checkboxes'),
  action_id: actionId,
  options: z.array(option).min(1).max(10),
  initial_options: z.array(option).min(1).optional(),
})

const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  action_id: actionId,
  placeholder: plainText(slackLimits.placeholder).optional(),
  initial_conversation: z.string().min(1).optional(),
  filter: z
    .strictObject({
      include: z
        .array(z.enum(['public', 'private', 'im', 'mpim']))
        .min(1)
        .optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .optional(),
})

const usersSelect = z.strictObject({
  type: z.literal('users_select'),
  action_id: actionId,
  placeholder: plainText(slackLimits.placeholder).optional(),
  initial_user: z.string().min(1).optional(),
})

const plainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  action_id: actionId,
  multiline: z.boolean().optional(),
  initial_value: z.string().max(slackLimits.plainTextInput).optional(),
  min_length: z.number().int().min(0).max(slackLimits.plainTextInput).optional(),
  max_length: z.number().int().min(1).max(slackLimits.plainTextInput).optional(),
  placeholder: plainText(slackLimits.placeholder).optional(),
  focus_on_load: z.boolean().optional(),
})

const feedbackButton = z.strictObject({
  text: plainText(slackLimits.buttonText),
  value: z.string().min(1).max(slackLimits.feedbackValue),
  accessibility_label: z.string().max(slackLimits.accessibilityLabel).optional(),
})

const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: actionId,
  positive_button: feedbackButton,
  negative_button: feedbackButton,
})

const tableCell = z.union([
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
])

const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId,
  rows: z.array(z.array(tableCell).min(1).max(slackLimits.tableColumns)).min(1).max(slackLimits.tableRows),
  column_settings: z
    .array(
      z.strictObject({
        align: z.enum(['left', 'center', 'right']).optional(),
        is_wrapped: z.boolean().optional(),
      }),
    )
    .max(slackLimits.tableColumns)
    .optional(),
})

const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId,
    caption: z.string().min(1).max(slackLimits.dataTableCaption),
    rows: z
      .array(z.array(tableCell).min(1).max(slackLimits.tableColumns))
      .min(2)
      .max(slackLimits.dataTableRows),
    page_size: z.number().int().min(1).max(slackLimits.dataTablePage).optional(),
    row_header_column_index: z.number().int().min(0).optional(),
  })
  .refine(({ rows, row_header_column_index: header = 0 }) => header < (rows[0]?.length ?? 0), {
    message: 'row_header_column_index names no column',
  })

const chartLabel = z.string().min(1).max(slackLimits.chartLabel)

const seriesChart = <T extends 'bar' | 'area' | 'line'>(type: T) =>
  z
    .strictObject({
      type: z.literal(type),
      series: z
        .array(
          z.strictObject({
            name: chartLabel,
            data: z
              .array(z.strictObject({ label: chartLabel, value: z.number() }))
              .min(1)
              .max(slackLimits.chartPoints),
          }),
        )
        .min(1)
        .max(slackLimits.chartSeries),
      axis_config: z.strictObject({
        categories: z.array(chartLabel).min(1).max(slackLimits.chartPoints),
        x_label: z.string().max(slackLimits.chartTitle).optional(),
        y_label: z.string().max(slackLimits.chartTitle).optional(),
      }),
    })
    .refine(({ series }) => new Set(series.map(({ name }) => name)).size === series.length, {
      message: 'names of series must differ',
    })
    .refine(
      ({ series, axis_config: { categories } }) =>
        new Set(categories).size === categories.length &&
        series.every(
          ({ data }) =>
            data.length === categories.length && data.every(({ label }) => categories.includes(label)),
        ),
      { message: 'each series needs one point for each category' },
    )

const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId,
  title: z.string().min(1).max(slackLimits.chartTitle),
  chart: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('pie'),
      segments: z
        .array(z.strictObject({ label: chartLabel, value: z.number().positive() }))
        .min(1)
        .max(slackLimits.pieSegments),
    }),
    seriesChart('bar'),
    seriesChart('area'),
    seriesChart('line'),
  ]),
})

const image = z
  .strictObject({
    type: z.literal('image'),
    block_id: blockId,
    alt_text: z.string().min(1).max(slackLimits.imageAltText),
    title: plainText(slackLimits.imageTitle).optional(),
    image_url: z.string().max(3_000).optional(),
    slack_file: z.strictObject({ id: z.string().optional(), url: z.string().optional() }).optional(),
  })
  .refine(block => (block.image_url === undefined) !== (block.slack_file === undefined), {
    message: 'an image needs either image_url or slack_file',
  })

/** One block of a message or a view. */
export const blockSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), block_id: blockId, text: plainText(slackLimits.headerText) }),
  z.strictObject({ type: z.literal('divider'), block_id: blockId }),
  z.strictObject({
    type: z.literal('markdown'),
    block_id: blockId,
    text: z.string().min(1).max(slackLimits.markdownText),
  }),
  z.strictObject({
    type: z.literal('section'),
    block_id: blockId,
    text: z.union([plainText(slackLimits.sectionText), mrkdwn(slackLimits.sectionText)]).optional(),
    fields: z
      .array(z.union([plainText(slackLimits.sectionField), mrkdwn(slackLimits.sectionField)]))
      .min(1)
      .max(slackLimits.sectionFields)
      .optional(),
    accessory: z.discriminatedUnion('type', [button, overflow, staticSelect]).optional(),
    expand: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('context'),
    block_id: blockId,
    elements: z
      .array(z.union([plainText(2_000), mrkdwn(2_000)]))
      .min(1)
      .max(slackLimits.contextElements),
  }),
  z.strictObject({
    type: z.literal('actions'),
    block_id: blockId,
    elements: z
      .array(z.discriminatedUnion('type', [button, overflow, staticSelect]))
      .min(1)
      .max(slackLimits.actionElements),
  }),
  z.strictObject({
    type: z.literal('context_actions'),
    block_id: blockId,
    elements: z.array(feedbackButtons).min(1).max(slackLimits.contextActionElements),
  }),
  z.strictObject({
    type: z.literal('input'),
    block_id: blockId,
    label: plainText(slackLimits.inputLabel),
    hint: plainText(slackLimits.inputLabel).optional(),
    optional: z.boolean().optional(),
    element: z.discriminatedUnion('type', [
      plainTextInput,
      staticSelect,
      radioButtons,
      checkboxes,
      conversationsSelect,
      usersSelect,
    ]),
  }),
  table,
  dataTable,
  dataVisualization,
  image,
])

/** A block that has passed the schema. */
export type SlackBlock = z.infer<typeof blockSchema>
