import { Component, type ReactNode } from 'react'
import { type Block, Message } from 'slack-blocks-to-jsx'
import { useWorkspace } from '../workspace-context.ts'

/** Every other kind of block, as the renderer of others shows it; they are looked at, not clicked. */
export const OtherBlock = ({ block }: { readonly block: { readonly type: string } }) => {
  const { snapshot } = useWorkspace()
  return (
    <Guarded type={block.type}>
      <div className="other">
        <Message
          withoutWrapper
          theme="light"
          logo=""
          name=""
          blocks={[block as unknown as Block]}
          data={{
            users: snapshot.people.map(({ id, name }) => ({ id, name })),
            channels: snapshot.channels.map(({ id, name }) => ({ id, name })),
          }}
        />
      </div>
    </Guarded>
  )
}

/** Some kinds make that renderer throw; the rest of the message must stay readable. */
class Guarded extends Component<
  { readonly type: string; readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <p className="private">A {this.props.type} block that the simulator cannot show.</p>
    ) : (
      this.props.children
    )
  }
}
