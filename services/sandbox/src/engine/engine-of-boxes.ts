import type { Box, BoxOptions, Engine } from './engine.ts';

/** Returns an engine that opens boxes this way. When it stops, it closes all of them, and then the rest. */
export function engineOfBoxes(
  about: Pick<Engine, 'name' | 'description'>,
  openBox: (options: BoxOptions) => Promise<Box>,
  closeRest: () => Promise<void> = async () => {},
): Engine {
  const boxes = new Set<Box>();
  return {
    ...about,
    async open(options) {
      const opened = await openBox(options);
      const box: Box = {
        ...opened,
        async close() {
          boxes.delete(box);
          await opened.close();
        },
      };
      boxes.add(box);
      return box;
    },
    async stop() {
      await Promise.all([...boxes].map((box) => box.close()));
      await closeRest();
    },
  };
}
