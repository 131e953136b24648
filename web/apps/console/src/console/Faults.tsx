/** Lists the faults of a form, including those of fields that are scrolled out of sight. */
import type { DescMessage } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import type { ShownFault } from "@pavise/descform/form.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { Note } from "@pavise/ui/Notice.tsx";

/** The faults of a form, each with its path. */
export function Faults({ desc, faults }: { desc: DescMessage; faults: ReadonlyMap<string, ShownFault> }) {
  const { _ } = useLingui();
  const w = useWords();
  if (faults.size === 0) return null;
  return (
    <Note tone="danger" title={_("{count} things are not right yet", { count: faults.size })} spoken>
      <ul>
        {[...faults].map(([path, { code, limit }]) => (
          <li key={path}>
            <code>{path === "" ? desc.name : path}</code> {w(code, { limit: limit ?? "" })}
          </li>
        ))}
      </ul>
    </Note>
  );
}
