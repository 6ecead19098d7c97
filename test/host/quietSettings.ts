/** User settings that keep the editor's own features out of the picture: no AI, no welcome, no update, no telemetry. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "chat.agentHost.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  // Drawing what moves takes a quarter of a window's time.
  "workbench.reduceMotion": "on",
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.settings.enableNaturalLanguageSearch": false,
  "workbench.cloudChanges.autoResume": "off",
  // A browser's editor saves by itself a second after typing, and a save that is asked for meanwhile is dropped.
  "files.autoSave": "off",
  "window.menuBarVisibility": "compact",
  "window.confirmBeforeClose": "never",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "remote.autoForwardPorts": false,
  // Else each window lists the open files of all processes every few seconds.
  "remote.autoForwardPortsSource": "output",
  "git.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "json.schemaDownload.enable": false,
  "npm.fetchOnlinePackageInfo": false,
  "typescript.disableAutomaticTypeAcquisition": true,
};
