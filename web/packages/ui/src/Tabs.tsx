/** Views of the same thing, one at a time. */
import type { Key, ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components/Tabs";
import styles from "./Tabs.module.css";

export type TabsProps = {
  label: string;
  tabs: readonly { id: string; label: string; content: ReactNode; disabled?: boolean }[];
  selected?: string;
  onSelect?: (id: string) => void;
};

/** Tabs. With `selected` the caller keeps the open tab, so that a link can name it. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const chosen = selected === undefined ? {} : { selectedKey: selected };
  return (
    <AriaTabs {...chosen} onSelectionChange={(key: Key) => onSelect?.(String(key))}>
      <TabList aria-label={label} className={styles.list ?? ""}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} isDisabled={tab.disabled === true} className={styles.tab ?? ""}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles.panel ?? ""}>
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
