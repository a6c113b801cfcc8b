import type { SlackBlock } from '../../../src/slack/block-kit/schema.ts'
import type { Click } from '../../shapes/interaction.ts'
import type { Block } from '../../shapes/message.ts'
import { Picture } from '../picture.tsx'
import { ActionElement } from './action-element.tsx'
import { ChartBlock } from './chart-block.tsx'
import { DataTableBlock } from './data-table-block.tsx'
import { FeedbackButtons } from './feedback-buttons.tsx'
import { InputField } from './input-field.tsx'
import { OtherBlock } from './other-block.tsx'
import { TableBlock } from './table-block.tsx'
import { TextObject } from './text-object.tsx'
import { ClickTarget } from './use-click.ts'

/** Blocks one below the other. `on` is what a click on them is a click on. */
export const Blocks = (props: { readonly blocks: readonly Block[]; readonly on: Click['on'] | null }) => (
  <ClickTarget value={props.on}>
    {props.blocks.map((block, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: ids are new with every change, and the focus would be lost
      <OneBlock key={`${i}:${block.type}`} block={block as unknown as SlackBlock} />
    ))}
  </ClickTarget>
)

const OneBlock = ({ block }: { readonly block: SlackBlock }) => {
  switch (block.type) {
    case 'header':
      return <h3 className="block-header">{block.text.text}</h3>
    case 'divider':
      return <hr />
    case 'section':
      return (
        <div className="section">
          <div className="section-text">
            {block.text && <TextObject text={block.text} />}
            {block.fields && (
              <div className="fields">
                {block.fields.map((field, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: fields have no identity but their place
                  <TextObject key={i} text={field} />
                ))}
              </div>
            )}
          </div>
          {block.accessory && <ActionElement element={block.accessory} />}
        </div>
      )
    case 'context':
      return (
        <div className="context">
          {block.elements.map((element, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: elements have no identity but their place
            <TextObject key={i} text={element} />
          ))}
        </div>
      )
    case 'actions':
      return (
        <div className="actions">
          {block.elements.map(element => (
            <ActionElement key={element.action_id} element={element} />
          ))}
        </div>
      )
    case 'context_actions':
      return (
        <div className="actions">
          {block.elements.map(element => (
            <FeedbackButtons key={element.action_id} element={element} />
          ))}
        </div>
      )
    case 'input':
      return <InputField block={block} />
    case 'table':
      return <TableBlock rows={block.rows} settings={block.column_settings ?? []} />
    case 'data_table':
      return <DataTableBlock block={block} />
    case 'data_visualization':
      return <ChartBlock block={block} />
    case 'image':
      return (
        <figure>
          {block.title && <figcaption>{block.title.text}</figcaption>}
          <Picture src={block.image_url ?? `/files/${block.slack_file?.id}`} alt={block.alt_text} />
        </figure>
      )
    default:
      return <OtherBlock block={block} />
  }
}
