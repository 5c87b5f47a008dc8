-- Since when the app had been uninstalled, for contracts that are to be compared after it was installed again: Shopify cancels an
-- app's contracts two days after an uninstallation, which nobody has asked for. NULL once contract and subscription agree.
ALTER TABLE contract_syncs ADD COLUMN uninstalled_at TEXT;
